import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, createAccount } from "../e2e/support/accounts.ts";
import { until } from "../support/until.ts";
import { compare, differences } from "./support/compare.ts";
import { startInstallation, type Installation } from "./support/installation.ts";
import { blocksOf, examplesOf, PAGES, tableAfter, type Example } from "./support/pages.ts";
import { resolveShared } from "../e2e/support/openapi.ts";
import type { Shell } from "./support/shell.ts";

/** Runs of an example that begins with a pause; each takes over 50 ms. */
const MAX_TRIES = 300;

let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.stop());

describe.each(PAGES.filter((page) => examplesOf(page).length > 0))("the examples of %s", (page) => {
  let shell: Shell;
  beforeAll(async () => {
    shell = await installation.openShell();
  });
  afterAll(() => shell.end());

  it.each(examplesOf(page))("line $line answers as shown", async ({ commands, output }: Example) => {
    // An example with a pause is repeated until its output matches, so that the speed of the machine does not matter.
    for (let tries = commands.startsWith("sleep ") ? MAX_TRIES : 1; ; tries--) {
      const printed = await shell.run(commands);
      const found = output === undefined ? [] : differences(output, printed);
      if (found.length > 0 && tries > 1) continue;
      expect(found, printed).toEqual([]);
      return;
    }
  });
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const BERLIN = JSON.stringify({ country: "DE", regionCode: "BE", city: "Berlin", continent: "EU" });
const HOUR_MS = 3_600_000;

describe("docs/api/events.md", () => {
  const EVENTS = ["link.create", "link.update", "link.delete", "link.expired", "link.click", "domain.verified"];
  const documented = blocksOf("docs/api/events.md").filter(({ flags }) => flags.includes("event"));
  const received = () => installation.receiver.arrivals.filter(({ path }) => path === "/events");
  const eventOf = (body: string) => JSON.parse(body) as { event: string };
  const arrival = (event: string) => until(() => received().some(({ body }) => eventOf(body).event === event));

  beforeAll(async () => {
    const { here, service, receiver, dns } = installation;
    const { key } = await createAccount(service.db);
    const api = async <T>(method: string, path: string, body?: object) =>
      (await callApi(here, key, method, path, body)).json() as T;

    const url = `${receiver.origin}/events`;
    const { webhook } = await api<{ webhook: { id: string } }>("POST", "/api/webhooks", {
      url,
      events: [...EVENTS, "domain.lost"],
    });
    await api("POST", `/api/webhooks/${webhook.id}`);
    const fields = {
      url: "https://example.com/spring?ref=poster",
      slug: "Launch-26",
      title: "Spring sale",
      tags: ["sale"],
    };
    const { link } = await api<{ link: { id: string } }>("POST", "/api/links", fields);
    const { now } = await here.state();
    const change = { geo: { FR: "https://example.com/fr" }, expiresAt: now + HOUR_MS };
    await api("PATCH", `/api/links/${link.id}`, change);
    await here.get("/launch-26", { "User-Agent": IPHONE, Referer: "https://news.example/", "MF-CF-Blob": BERLIN });
    await arrival("link.click");
    const { domain } = await api<{ domain: { id: string } }>("POST", "/api/domains/add", { domain: "events.acme.com" });
    await api("POST", `/api/domains/${domain.id}/verify`);

    await here.advance(HOUR_MS + 1);
    await service.cron("here");
    await arrival("link.expired");
    await api("DELETE", `/api/links/${link.id}`);
    dns.lost.add("events.acme.com");
    await here.advance(24 * HOUR_MS);
    await service.cron("here");
    await arrival("domain.lost");
    await arrival("link.delete");
  });

  it.each(documented.map(({ text }) => eventOf(text).event))("shows %s as it is sent", (event) => {
    const { text = "{}" } = documented.find((block) => eventOf(block.text).event === event) ?? {};
    const { body = "{}" } = received().find((arrival) => eventOf(arrival.body).event === event) ?? {};
    expect(compare(JSON.parse(text), JSON.parse(body), "")).toEqual([]);
  });
});

describe("the tables of fields", () => {
  interface Schema {
    properties: Record<string, { enum?: string[]; items?: { enum?: string[] } }>;
  }
  let schemas: Record<string, Schema>;
  beforeAll(async () => {
    const document = (await installation.here.get("/api/openapi.json")).json();
    const { components, paths } = resolveShared(document);
    const makeQrCode = paths["/api/qr"]?.["post"]?.requestBody?.content["application/json"]?.schema;
    schemas = { ...components.schemas, MakeQrCode: makeQrCode ?? {} } as Record<string, Schema>;
  });
  const namesAfter = (page: string, start: string) => tableAfter(page, start).flatMap(({ names }) => names);

  it.each([
    ["Link", "docs/api/links.md", "## Fields of a link"],
    ["Tag", "docs/api/tags.md", "### Fields of a tag"],
    ["Job", "docs/api/tags.md", "### Fields of a job"],
    ["SlugCheck", "docs/api/slugs.md", "### Fields of a check"],
    ["UtmTemplate", "docs/api/utm-templates.md", "### Fields of a UTM template"],
    ["ServiceInfo", "docs/api/service.md", "## Service"],
    ["Usage", "docs/api/usage.md", "# Usage"],
    ["ApiKey", "docs/api/keys.md", "## Fields of a key"],
    ["Domain", "docs/api/domains.md", "## Fields of a domain"],
    ["Note", "docs/api/notes.md", "### Fields"],
    ["SharedPage", "docs/api/shared-pages.md", "### Fields"],
    ["Webhook", "docs/api/webhooks.md", "## Fields of a webhook"],
    ["Delivery", "docs/api/webhooks.md", "## Deliveries"],
    ["Clicks", "docs/api/clicks.md", "## Fields of analytics"],
    ["ClickRecord", "docs/api/clicks.md", "## Fields of a click record"],
    ["Destination", "docs/api/targeting.md", "## Destination previews"],
    ["LinkDeepLinks", "docs/api/deep-links.md", "## App targets of a link"],
    ["DomainDeepLinks", "docs/api/deep-links.md", "## Files of a domain"],
    ["MakeQrCode", "docs/api/qr-codes.md", "## Fields"],
  ])("name each field of %s", (schema, page, start) => {
    expect(namesAfter(page, start).sort()).toEqual(Object.keys(schemas[schema]?.properties ?? {}).sort());
  });

  it("name each event, permission and error code", () => {
    const { Webhook, ApiKey, Error } = schemas;
    expect(namesAfter("docs/api/webhooks.md", "## Events").sort()).toEqual(
      Webhook?.properties["events"]?.items?.enum?.toSorted(),
    );
    expect(namesAfter("docs/api/README.md", "### Permissions")).toEqual(ApiKey?.properties["permissions"]?.items?.enum);
    const codes = tableAfter("docs/api/README.md", "`error` is a sentence").map(({ cells }) =>
      cells[1]?.replaceAll("`", ""),
    );
    expect(codes).toEqual(Error?.properties["code"]?.enum);
  });
});
