import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { ADVISORY_TTL_MS } from "#src/redirect/limits.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import { call, createAccount, createLink, jsonOf, runCron } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";
import { screener, setBinding, useScreening } from "./support.ts";

// Warnings of Web Risk, whose terms limit how long they hold, and ask to be named.

useScreening();

const MINUTE_MS = 60_000;
const ADVISORY = "https://cloud.google.com/web-risk/docs/advisory";
const WEB_RISK = "webrisk.googleapis.com";

let key: string;
beforeEach(async () => {
  await internet.reset();
  ({ key } = await createAccount());
});

function useWebRisk(): void {
  setBinding("WEB_RISK_KEY", "key");
  onTestFinished(() => setBinding("WEB_RISK_KEY", ""));
}

/** Web Risk has every URL on its list until `expiresAt`; null: none. */
async function listed(type: "SOCIAL_ENGINEERING" | "MALWARE" | null, expiresAt = Date.now() + 1_000 * MINUTE_MS) {
  const threat = { threatTypes: [type], expireTime: new Date(expiresAt).toISOString() };
  await internet.answers({ [WEB_RISK]: { body: JSON.stringify(type === null ? {} : { threat }) } });
}

interface Shown {
  verdict: { state: string; reason: string | null; since: number | null };
  updatedAt: number;
}

async function read(id: string): Promise<Shown> {
  const { link } = await jsonOf<{ link: Shown }>(await call("GET", `/api/links/${id}`, { key }));
  return link;
}

const ALLOWED = { state: "allowed", reason: null };

describe("a warning", () => {
  it("is confirmed in time, as no change of the link, and ends when the host is not listed any more", async () => {
    useWebRisk();
    await listed("SOCIAL_ENGINEERING");
    const now = Date.now();
    const { id } = await createLink(key, { url: "https://go.evil.dev/x" });
    await runCron(now + MINUTE_MS);
    const first = await read(id);
    expect(first.verdict).toEqual({ state: "warned", reason: "phishing", since: now + MINUTE_MS });
    const [entry] = (await env.DB.prepare("SELECT details FROM operator_entries").all()).results;
    const details = { state: "warned", reason: "phishing", since: null, source: "web_risk" };
    expect(JSON.parse(String(entry?.["details"]))).toEqual(details);
    // The schedule of new links has its second screening at 10 minutes, and its third at an hour.
    await runCron(now + 11 * MINUTE_MS);
    expect(await screener().listDue(now + 30 * MINUTE_MS, 10)).toEqual([]);
    const confirmed = now + 31 * MINUTE_MS;
    await runCron(confirmed);
    expect(await read(id)).toMatchObject({
      verdict: { state: "warned", since: confirmed },
      updatedAt: first.updatedAt,
    });
    await listed(null);
    await runCron(confirmed + 21 * MINUTE_MS);
    expect((await read(id)).verdict).toMatchObject(ALLOWED);
  });

  it("ends when it cannot be confirmed", async () => {
    useWebRisk();
    await listed("SOCIAL_ENGINEERING");
    const now = Date.now();
    const { id } = await createLink(key, { url: "https://evil.dev/" });
    await runCron(now + MINUTE_MS);
    await internet.answers({ [WEB_RISK]: { status: 500 } });
    await runCron(now + 21 * MINUTE_MS);
    expect((await read(id)).verdict).toMatchObject({ state: "warned" });
    await runCron(now + MINUTE_MS + ADVISORY_TTL_MS + MINUTE_MS);
    await runCron(now + 90 * MINUTE_MS);
    expect((await read(id)).verdict).toMatchObject(ALLOWED);
  });
});

it("confirmations of a warning are no steps of the schedule, and one that fails is tried again", async () => {
  useWebRisk();
  await listed("SOCIAL_ENGINEERING");
  const now = Date.now();
  const { id } = await createLink(key, { url: "https://evil.dev/" });
  let minutes = 1;
  for (; minutes < 200; minutes += 20) await runCron(now + minutes * MINUTE_MS);
  expect((await read(id)).verdict).toMatchObject({ state: "warned" });
  await internet.answers({ [WEB_RISK]: { status: 500 } });
  await runCron(now + minutes * MINUTE_MS);
  expect(await screener().listDue(now + (minutes + 3) * MINUTE_MS, 10)).toHaveLength(1);
  await listed(null);
  await runCron(now + (minutes + 3) * MINUTE_MS);
  expect((await read(id)).verdict).toMatchObject(ALLOWED);
  // The screening after four hours.
  expect(await screener().listDue(now + 241 * MINUTE_MS, 10)).toHaveLength(1);
});

it("a warning is confirmed before its answer expires", async () => {
  useWebRisk();
  const now = Date.now();
  await listed("MALWARE", now + 7 * MINUTE_MS);
  const { id } = await createLink(key, { url: "https://evil.dev/" });
  await runCron(now + MINUTE_MS);
  expect((await read(id)).verdict).toMatchObject({ state: "warned", reason: "malware" });
  expect(await screener().listDue(now + 4 * MINUTE_MS, 10)).toEqual([]);
  expect(await screener().listDue(now + 5 * MINUTE_MS, 10)).toHaveLength(1);
});

/** A link with a warning that is so old. */
async function createWarned(slug: string, ageMs: number, isUntrusted = false): Promise<void> {
  const { id } = await createLink(key, { url: "https://evil.dev/", slug });
  const verdict = { state: "warned", reason: "phishing", since: Date.now() - ageMs } as const;
  const packed = packVerdict(verdict, isUntrusted, true);
  await env.DB.prepare("UPDATE links SET verdict = ?1 WHERE id = ?2").bind(packed, id).run();
  memoryCache.clear();
}

const visit = (path: string, headers = {}) => call("GET", path, { headers: { Accept: "text/html", ...headers } });

describe("visitors", () => {
  it("read who warns and that it may be wrong, in the page, the preview and JSON", async () => {
    await createWarned("advised", 0);
    const link = `<a href="${ADVISORY}" rel="noreferrer">Advisory provided by Google</a>`;
    for (const path of ["/advised", "/advised+"])
      expect(await (await visit(path)).text()).toContain(`${link}. A warning may be wrong`);
    expect(await (await visit("/advised", { "Accept-Language": "de" })).text()).toContain("Hinweis von Google");
    const json = await (await visit("/advised", { Accept: "application/json" })).json();
    expect(json).toMatchObject({ verdict: { state: "warned", reason: "phishing" }, advisory: ADVISORY });
  });

  it("are not warned after 30 minutes without a new answer", async () => {
    await createWarned("recent", ADVISORY_TTL_MS - MINUTE_MS);
    expect((await visit("/recent")).status).toBe(200);
    await createWarned("outdated", ADVISORY_TTL_MS);
    expect((await visit("/outdated")).status).toBe(302);
    expect(await (await visit("/outdated+")).text()).not.toContain("Google");
    await createWarned("untrusted", ADVISORY_TTL_MS, true);
    const page = await (await visit("/untrusted")).text();
    expect(page).toContain("Nobody has checked where this link leads yet");
    expect(page).not.toContain("Google");
  });
});
