import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { callApi, createAccount, createLink } from "../e2e/support/accounts.ts";
import { until } from "../support/until.ts";
import { VISITOR } from "./support/browser.ts";
import { findBarriers, watchProblems } from "./support/checks.ts";
import { startServiceWithBrowser } from "./support/service.ts";

// The chart that clients show in the conversation, in a frame as clients make it: sandboxed, with the policy that the MCP
// Apps extension (2026-01-26) prescribes for a page that names no origins.

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const HOST = "http://client.test";
const PAGE = '<!doctype html><html lang="en"><title>Client</title><body></body></html>';

const HOSTILE = '<img src=x onerror="parent.postMessage(1)">"><script>alert(1)</script>';

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: object;
  error?: { code: number };
}

const { service, browser } = await startServiceWithBrowser();
let key: string;
beforeEach(async () => {
  ({ key } = await createAccount(service.db));
});

/** Sends a message to `/mcp`. Returns its result. */
async function send<T>(method: string, params: object): Promise<T> {
  const message = { jsonrpc: "2.0", id: 1, method, params };
  const headers = { Accept: "application/json, text/event-stream" };
  const { text } = await callApi(service.isolates.only, key, "POST", "/mcp", message, headers);
  return (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: T }).result;
}

/** The result of the tool, as a client gives it to the page. */
const analytics = () =>
  send<Record<string, unknown>>("tools/call", {
    name: "get_analytics",
    arguments: { interval: "7d", compare: "previous", by: ["utmCampaigns", "countries"] },
  });

/** Opens the page in a client's frame. `messages` are those that the page sends. */
async function openApp(theme: "light" | "dark", width = 700) {
  const { contents } = await send<{ contents: { text: string }[] }>("resources/read", { uri: "ui://tern/clicks" });
  const html = (contents[0]?.text ?? "").replace(
    "<head>",
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  );
  const page = await (await browser.newContext({ viewport: { width, height: 700 } })).newPage();
  const problems = watchProblems(page, HOST);
  const messages: Message[] = [];
  await page.exposeFunction("received", (message: Message) => void messages.push(message));
  // The client's own page. It has no policy, which the frame would inherit.
  await page.route(`${HOST}/`, (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
  await page.goto(`${HOST}/`);
  await page.evaluate(
    ([html, theme]) => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      frame.style.cssText = "width: 100%; height: 600px; border: 0";
      addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
        if (source !== frame.contentWindow) return;
        (globalThis as unknown as { received: (message: Message) => void }).received(data);
        if (data.method !== "ui/initialize") return;
        const hostContext = { theme, locale: "en-GB" };
        const result = {
          protocolVersion: "2026-01-26",
          hostInfo: { name: "test", version: "1" },
          hostCapabilities: {},
          hostContext,
        };
        frame.contentWindow?.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
      });
      frame.srcdoc = html;
      document.body.replaceChildren(frame);
    },
    [html, theme] as const,
  );
  await expect.poll(() => messages.map(({ method }) => method)).toContain("ui/notifications/initialized");
  const post = (message: object) =>
    page.evaluate(
      (sent) => document.querySelector("iframe")?.contentWindow?.postMessage({ jsonrpc: "2.0", ...sent }, "*"),
      message,
    );
  return { page, frame: page.frameLocator("iframe"), problems, messages, post };
}

const showResult = (params: object) => ({ method: "ui/notifications/tool-result", params });

/** Follows a link as several visitors, and waits until the clicks are counted. */
async function visit(slug: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { status } = await service.isolates.only.get(`/${slug}`, { "User-Agent": VISITOR });
    expect(status).toBe(302);
  }
  await until(async () => (await totalClicks()) === times);
}

const totalClicks = async () => ((await analytics())["structuredContent"] as { total: number }).total;

const backgroundOf = (page: Page) =>
  page.frames()[1]?.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

it.each(["light", "dark"] as const)("shows the clicks of a result, %s, and makes no requests", async (theme) => {
  const url = `https://example.com/?utm_campaign=${encodeURIComponent(HOSTILE)}`;
  const { slug } = await createLink(service.isolates.only, key, { url });
  await visit(slug, 3);
  const { page, frame, problems, messages, post } = await openApp(theme);
  await post(showResult(await analytics()));
  await frame.getByRole("img", { name: /^Clicks by day\. The most in one day: 3, / }).waitFor();
  expect(await frame.locator("dl").innerText()).toMatch(
    /^Clicks\s+3\s+Visitors\s+3\s+Crawlers\s+0\s+Clicks in the period before\s+0$/,
  );
  expect(await frame.locator("svg rect:not(.whole)").count()).toBe(7);
  const lists = await frame.locator(".lists").innerText();
  expect(lists).toContain(`tern.test/${slug}`);
  // Text of other people is text.
  expect(lists).toContain(HOSTILE);
  expect(await frame.locator("img[src], .lists script").count()).toBe(0);
  expect(await backgroundOf(page)).toBe(theme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 32, 39)");
  expect(messages.find(({ method }) => method === "ui/notifications/size-changed")?.params).toMatchObject({
    width: 684,
  });
  expect(messages.every((message) => (message as unknown) !== 1)).toBe(true);
  expect(await findBarriers(page.frames()[1] as unknown as Page)).toEqual([]);
  expect(problems).toEqual([]);
});

it("fits into a narrow frame", async () => {
  const { page, frame, post } = await openApp("light", 320);
  const links = [{ id: "1", shortUrl: `https://tern.test/${"a".repeat(200)}`, clicks: 5 }];
  await post(
    showResult({
      content: [],
      structuredContent: { total: 5, unique: 5, bots: 0, bucket: "day", timeseries: [], links, by: {} },
    }),
  );
  await frame.getByText("Links").waitFor();
  expect(await page.frames()[1]?.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
    0,
  );
});

it("says what went wrong, and answers what a client asks", async () => {
  const { frame, messages, post } = await openApp("dark");
  await post(showResult({ isError: true, content: [{ type: "text", text: HOSTILE }] }));
  await frame.getByText(HOSTILE).waitFor();
  await post({ method: "ui/notifications/tool-cancelled", params: {} });
  await frame.getByText("The call was cancelled.").waitFor();
  await post({ id: 7, method: "ui/resource-teardown", params: {} });
  await post({ id: 8, method: "unknown/request", params: {} });
  await expect
    .poll(() => messages.filter(({ id }) => id === 7 || id === 8))
    .toMatchObject([
      { id: 7, result: {} },
      { id: 8, error: { code: -32_601 } },
    ]);
});
