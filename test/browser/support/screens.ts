import type { BrowserContext } from "playwright-core";
import { settings } from "../../../dashboard/src/texts/en/settings.ts";
import { registerApp } from "./apps.ts";
import { BERLIN, click, PARIS, waitForClicks } from "./clicks.ts";
import { createLink, ORIGIN, post } from "./dashboard.ts";
import { newSlug } from "./links.ts";
import { createTeam } from "./people.ts";

export interface Screen {
  path: string;
  /** Opens a dialog of the page. */
  key?: string;
}

const OPEN_PATHS = ["/", "/docs/reference", "/app/sign-in", "/app/sign-up", "/app/forgot-password"];

/** Screens for everybody. */
export const OPEN_SCREENS: readonly Screen[] = OPEN_PATHS.map((path) => ({ path }));

/** Fills the account of the person with something of each kind. Returns all screens that show it. */
export async function fillScreens(context: BrowserContext): Promise<Screen[]> {
  const link = await createLink(context, {
    slug: newSlug("a-slug-that-is-longer-than-most"),
    title: "Spring offers of the shop in the old town",
    tags: ["newsletter", "spring"],
    maxClicks: 1_000,
    expiresAt: "2099-01-31",
    expiredUrl: "https://example.com/over",
    geo: { DE: "https://example.com/de" },
    rules: [{ devices: ["mobile"], countries: ["DE", "FR"], url: "https://example.com/mobile" }],
  });
  await createLink(context, { slug: newSlug("locked"), password: "violet heron", disabled: true });
  const longest = await createLink(context, { slug: newSlug("withoutabreak".repeat(4)) });
  const deleted = await createLink(context);
  await context.request.delete(`/api/links/${deleted.id}`, { headers: { Origin: ORIGIN } });
  await click(link.slug, { place: BERLIN, referrer: "https://news.example.com/" });
  await click(link.slug, { place: PARIS, qr: true });
  await waitForClicks(context, 2);
  const made = async (path: string, data: object, key: string, status?: number) =>
    ((await post(context, path, data, status)) as Record<string, { id: string }>)[key]?.id ?? "";
  const webhook = await made(
    "/api/webhooks",
    { url: `https://example.com/hooks/tern?token=${"0123456789".repeat(5)}`, events: ["link.create"] },
    "webhook",
  );
  const domain = await made("/api/domains/add", { domain: `go${process.pid}.acme.com` }, "domain");
  await post(context, "/api/keys", { name: "Website", permissions: ["links:read", "clicks:read"] });
  const { sharedPage } = (await post(context, "/api/shared-pages", { linkId: link.id, title: "Spring" })) as {
    sharedPage: { url: string };
  };
  await createTeam(context);
  const paths = [
    "/app/links",
    "/app/links?status=deleted",
    "/app/links?create=true",
    `/app/links?edit=${link.id}`,
    `/app/links/${link.id}`,
    `/app/links?edit=${longest.id}`,
    `/app/links/${longest.id}`,
    "/app/analytics",
    ...["", "/export", "/jobs"].map((path) => `/app/moving${path}`),
    ...Object.keys(settings.sections).map((name) => `/app/settings/${name}`),
    `/app/settings/webhooks/${webhook}`,
    `/app/settings/domains/${domain}`,
    new URL(sharedPage.url).pathname,
    (await registerApp()).url,
    "/app/not-there",
  ];
  const dialogs = [
    { path: `/app/links/${link.id}`, key: "q" },
    { path: "/app/links", key: "?" },
    { path: "/app/analytics", key: "Control+k" },
  ];
  return [...paths.map((path) => ({ path })), ...dialogs];
}
