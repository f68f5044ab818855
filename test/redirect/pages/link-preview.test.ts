import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { isCrawler } from "../../../src/platform/visitor/crawler.ts";
import { call, createLink, key, startAccount, takeSentClicks, takeSentVisits } from "../../support/api.ts";
import { PASSWORD } from "../../support/password.ts";

const FETCHERS = [
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Facebot",
  "meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Slackbot 1.0 (+https://api.slack.com/robots)",
  "WhatsApp/2.23.20.0 A",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
  "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
  "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
  "Iframely/1.3.1 (+https://iframely.com/docs/about)",
  "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
  "Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/)",
  "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) Bot",
  "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
  "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
  "Viber/13.3",
  "facebookexternalhit/1.1;line-poker/1.0",
  "kakaotalk-scrap/1.0; +https://devtalk.kakao.com/",
  "Synapse (bot; +https://github.com/matrix-org/synapse)",
];
const [FACEBOOK = ""] = FETCHERS;

const OTHERS = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Twitter for iPhone",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) discord/0.0.60 Chrome/126.0 Electron/31 Safari/537.36",
  "curl/8.5.0",
  "",
];

const PREVIEW = { title: "Spring sale", description: "Everything must go", image: "https://img.example/spring.png" };

beforeEach(startAccount);

async function fetchAs(agent: string, path: string): Promise<{ response: Response; html: string }> {
  const response = await call("GET", path, { headers: { "User-Agent": agent } });
  return { response, html: await response.text() };
}

/** The tags of a preview page, by name. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:name|property)="((?:og|twitter):[^"]+|description)" content="([^"]*)">/g);
  return Object.fromEntries(Array.from(tags, ([, name, content]) => [name, content]));
}

it("shows preview fetchers the owner's title, description and image", async () => {
  await createLink(key, { slug: "Spring", url: "https://example.com/?a=1&b=2", preview: PREVIEW });
  const { response, html } = await fetchAs(FACEBOOK, "/Spring");
  expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(html).toContain("<title>Spring sale</title>");
  expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="nofollow noreferrer">');
  expect(tagsOf(html)).toEqual({
    description: PREVIEW.description,
    "og:type": "website",
    "og:url": "https://tern.test/Spring",
    "og:title": PREVIEW.title,
    "og:description": PREVIEW.description,
    "og:image": PREVIEW.image,
    "twitter:card": "summary_large_image",
    "twitter:title": PREVIEW.title,
    "twitter:description": PREVIEW.description,
    "twitter:image": PREVIEW.image,
  });
});

it("leaves out tags without a value", async () => {
  await createLink(key, { slug: "image", preview: { image: "https://bücher.example/ü.png" } });
  await createLink(key, { slug: "title", preview: { title: "Only a title" } });
  const { html } = await fetchAs(FACEBOOK, "/image");
  expect(html).toContain("<title>tern.test</title>");
  expect(tagsOf(html)).toEqual({
    "og:type": "website",
    "og:url": "https://tern.test/image",
    "og:image": "https://xn--bcher-kva.example/%C3%BC.png",
    "twitter:card": "summary_large_image",
    "twitter:image": "https://xn--bcher-kva.example/%C3%BC.png",
  });
  expect(tagsOf((await fetchAs(FACEBOOK, "/title")).html)["twitter:card"]).toBe("summary");
});

it.each(FETCHERS)("shows the preview to %s, which counts as a crawler", async (agent) => {
  await createLink(key, { slug: "known", preview: PREVIEW });
  expect((await fetchAs(agent, "/known")).response.status).toBe(200);
  expect(isCrawler(agent)).toBe(true);
  expect(takeSentVisits().map(([, , , , , userAgent]) => userAgent)).toEqual([agent]);
});

it.each(OTHERS)("redirects %s", async (agent) => {
  await createLink(key, { slug: "known", preview: PREVIEW });
  expect((await fetchAs(agent, "/known")).response.status).toBe(302);
});

it("redirects preview fetchers if a link has no preview, or none any more", async () => {
  const link = await createLink(key, { slug: "plain" });
  expect((await fetchAs(FACEBOOK, "/plain")).response.status).toBe(302);
  await call("PATCH", `/api/links/${link.id}`, { key, body: { preview: PREVIEW } });
  expect((await fetchAs(FACEBOOK, "/plain")).response.status).toBe(200);
  await call("PATCH", `/api/links/${link.id}`, { key, body: { preview: null } });
  expect((await fetchAs(FACEBOOK, "/plain")).response.status).toBe(302);
});

it("uses no visit of a link with a limit, and shows no preview of one that has ended", async () => {
  const link = await createLink(key, { slug: "once", maxClicks: 1, preview: PREVIEW });
  for (let time = 0; time < 3; time++) expect((await fetchAs(FACEBOOK, "/once")).response.status).toBe(200);
  const visits = await env.DB.prepare("SELECT visits FROM links WHERE id = ?1").bind(link.id).first("visits");
  expect(visits).toBe(0);
  expect((await call("GET", "/once")).status).toBe(302);
  const { response, html } = await fetchAs(FACEBOOK, "/once");
  expect(response.status).toBe(410);
  expect(html).not.toContain(PREVIEW.title);
});

it("shows the preview of a link with a password without its destination", async () => {
  await createLink(key, { slug: "veiled", url: "https://hidden.example/", password: PASSWORD, preview: PREVIEW });
  const { response, html } = await fetchAs(FACEBOOK, "/veiled");
  expect(response.status).toBe(200);
  expect(tagsOf(html)["og:title"]).toBe(PREVIEW.title);
  expect(html + JSON.stringify([...response.headers])).not.toContain("hidden.example");
});

it.each(["{", "null", "[]", "{}", '{"title": 5, "description": {}, "image": "nowhere"}'])(
  "leaves out what cannot be read in %s",
  async (stored) => {
    await createLink(key, { slug: "unreadable", preview: PREVIEW });
    await env.DB.prepare("UPDATE links SET preview = ?1, updated_at = updated_at + 1").bind(stored).run();
    const { response, html } = await fetchAs(FACEBOOK, "/unreadable");
    expect([response.status, tagsOf(html)["twitter:card"]]).toEqual([200, "summary"]);
    expect((await fetchAs("", "/unreadable+")).response.status).toBe(200);
  },
);

it("responds to HEAD without a body, and counts nothing", async () => {
  await createLink(key, { slug: "head", preview: PREVIEW });
  const response = await call("HEAD", "/head", { headers: { "User-Agent": FACEBOOK } });
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect(takeSentClicks()).toEqual([]);
});

it.each([
  ["quotes and tags", `"><script>alert('1')</script></title>&amp;`],
  ["emoji and combined characters", "🐦 cafe\u0301 👩‍👩‍👧"],
  ["text from right to left", "שלום עולם"],
])("escapes %s", async (_, text) => {
  const preview = { title: text, description: text, image: `https://img.example/${encodeURIComponent(text)}?"'<` };
  await createLink(key, { slug: "odd", preview });
  const { response, html } = await fetchAs(FACEBOOK, "/odd?a=%22%3E%3Cscript%3E");
  expect(response.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'/);
  expect(html.match(/<(script|title|meta|\/title)/g)?.length).toBe(14);
  expect(html).not.toMatch(/<script/);
  const titles: string[] = [];
  await new HTMLRewriter()
    .on('meta[property="og:title"]', { element: (tag) => void titles.push(tag.getAttribute("content") ?? "") })
    .transform(new Response(html))
    .text();
  expect(titles.map(unescape)).toEqual([text.normalize("NFC")]);
});

function unescape(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

it("removes bidirectional control characters", async () => {
  await createLink(key, { slug: "turned", preview: { title: "safe\u202eexe.\u2066txt\u2069" } });
  const { html } = await fetchAs(FACEBOOK, "/turned");
  expect(html).toContain("<title>safeexe.txt</title>");
});
