import { beforeEach, describe, expect, it } from "vitest";
import type { Webhook } from "../../../src/webhooks/contract.ts";
import { toMessage } from "../../../src/webhooks/delivery/message.ts";
import { jsonOf } from "../../support/api.ts";
import { internet, key, service, startService } from "../support.ts";

beforeEach(startService);

const URL = "https://hooks.receiver.dev/in";

async function createFor(format: string): Promise<Webhook> {
  const body = { url: URL, events: ["link.create"], format };
  const response = await service.call("POST", "/api/webhooks", { key, body });
  expect(response.status).toBe(201);
  return (await jsonOf<{ webhook: Webhook }>(response)).webhook;
}

/** The bodies that the receiver got, in any order, and the headers of the first one. */
async function received() {
  const all = await internet.received();
  return { bodies: all.map(({ body }) => JSON.parse(body) as unknown), headers: all[0]?.headers ?? {} };
}

describe("a webhook with a format of a chat service", () => {
  it("sends a message in place of the event, signed as it is sent, and the log keeps the event", async () => {
    const { id, format } = await createFor("slack");
    expect(format).toBe("slack");
    const { shortUrl } = await service.createLink(key, {
      url: "https://example.com/?a=1&b=2",
      title: "Spring <!channel> https://a.dev",
    });
    await service.deliver();
    const { bodies, headers } = await received();
    const [headline, ...others] = [
      "A link was created",
      shortUrl,
      "https://example.com/?a=1&b=2",
      "Spring <!channel> https://a.dev",
    ];
    const lines = [
      { type: "text", text: headline, style: { bold: true } },
      ...others.map((part, index) => (index < 2 ? { type: "link", url: part } : { type: "text", text: part })),
    ];
    const elements = lines.flatMap((line, index) => (index === 0 ? [line] : [{ type: "text", text: "\n" }, line]));
    const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }];
    expect(bodies).toEqual([{ text: headline, blocks, unfurl_links: false }]);
    expect(headers).toMatchObject({ "content-type": "application/json", "x-service-event": "link.create" });
    const log = await service.call("GET", `/api/webhooks/${id}/deliveries/${headers["webhook-id"]}`, { key });
    const { delivery } = await jsonOf<{ delivery: { requestBody: string; status: string } }>(log);
    expect(delivery.status).toBe("delivered");
    expect(JSON.parse(delivery.requestBody)).toMatchObject({ event: "link.create", data: { shortUrl } });
  });

  it("escapes for Discord, where nobody is mentioned", async () => {
    await createFor("discord");
    const { shortUrl } = await service.createLink(key, {
      url: "https://example.com/a_b",
      title: "@everyone *now* [here](https://x.dev)",
    });
    await service.deliver();
    const content = `**A link was created**\n<${shortUrl}>\n<https://example.com/a_b>\n@everyone \\*now\\* \\[here\\]\\(https\\://x.dev\\)`;
    expect((await received()).bodies).toEqual([{ content, allowed_mentions: { parse: [] }, flags: 4 }]);
  });

  it("sends a card to Teams, whose texts are no mark-up", async () => {
    await createFor("teams");
    const { shortUrl } = await service.createLink(key, {
      url: "https://example.com/",
      title: "**Sale**",
      tags: ["a", "b"],
    });
    await service.deliver();
    const run = (text: string) => ({ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] });
    const [card] = (await received()).bodies;
    expect(card).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            body: [
              { type: "RichTextBlock", inlines: [{ type: "TextRun", weight: "Bolder", text: "A link was created" }] },
              ...[shortUrl, "https://example.com/", "**Sale**", "Tags: a, b"].map(run),
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open the short link", url: shortUrl }],
          },
        },
      ],
    });
  });

  it("can be changed, also for deliveries that wait, and a ping is a message too", async () => {
    const { id } = await createFor("event");
    const { shortUrl } = await service.createLink(key);
    const changed = await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { format: "slack" } });
    expect(await jsonOf(changed)).toMatchObject({ webhook: { format: "slack" } });
    await service.deliver();
    const [message] = (await received()).bodies;
    expect(JSON.stringify(message)).toContain(shortUrl);
    expect(message).toHaveProperty("blocks");
    await internet.forget();
    await service.call("POST", `/api/webhooks/${id}`, { key });
    expect((await received()).bodies).toMatchObject([{ text: "This is a test message: events will appear here" }]);
  });

  it("is an event unless the format says otherwise, and an unknown format is refused", async () => {
    const { webhook } = await jsonOf<{ webhook: Webhook }>(
      await service.call("POST", "/api/webhooks", { key, body: { url: URL, events: ["link.create"] } }),
    );
    expect(webhook.format).toBe("event");
    const body = { url: URL, events: ["link.create"], format: "irc" };
    const refused = await service.call("POST", "/api/webhooks", { key, body });
    expect(refused.status).toBe(400);
    expect(await jsonOf(refused)).toMatchObject({ details: [{ path: "format" }] });
  });
});

describe("messages", () => {
  const LINK = {
    shortUrl: "https://go.example/a",
    url: "https://example.com/",
    title: null,
    tags: [],
    destination: null,
  };
  /** The lines of the card, which are plain texts. */
  const textOf = (event: string, data: object): string => {
    const card = toMessage(JSON.stringify({ event, timestamp: 1, data }), "teams");
    const { attachments } = JSON.parse(card) as {
      attachments: { content: { body: { inlines: { text: string }[] }[] } }[];
    };
    return attachments.flatMap(({ content }) => content.body.map(({ inlines }) => inlines[0]?.text)).join("\n");
  };

  it.each([
    ["link.update", LINK, "A link was changed\nhttps://go.example/a\nhttps://example.com/"],
    [
      "link.update",
      { ...LINK, destination: { state: "broken" } },
      expect.stringMatching(/\nIts destination is broken\.$/),
    ],
    ["link.delete", LINK, "A link was deleted\nhttps://go.example/a\nhttps://example.com/"],
    [
      "link.expired",
      { ...LINK, reason: "maxClicks" },
      "A link has expired\nhttps://go.example/a\nhttps://example.com/",
    ],
    ["domain.verified", { domain: "go.acme.com" }, "The domain go.acme.com is verified"],
    [
      "domain.lost",
      { domain: "go.acme.com" },
      expect.stringContaining("The TXT record of the domain go.acme.com is missing\n"),
    ],
  ])("say what %s means", (event, data, expected) => expect(textOf(event, data)).toEqual(expected));

  it("of clicks say from where, with what and through which page", () => {
    const click = {
      link: LINK,
      geo: { country: "DE", city: "Berlin" },
      browser: "Safari",
      os: "iOS",
      source: "news.example",
    };
    const headline = "A short link was visited\nhttps://go.example/a";
    expect(textOf("link.click", click)).toBe(`${headline}\nBerlin, DE\nSafari on iOS\nfrom news.example`);
    const unknown = { link: LINK, geo: { country: null, city: null }, browser: "other", os: "other", source: null };
    expect(textOf("link.click", unknown)).toBe(headline);
  });

  it.each(["_".repeat(2_000), "日".repeat(280)])(
    "fit into 2,000 characters of Discord, whatever the link has: %.5s",
    (path) => {
      const url = `https://example.com/${path}`;
      const data = {
        shortUrl: `https://go.example/${"*".repeat(600)}`,
        url,
        title: "*".repeat(500),
        tags: Array(50).fill("_".repeat(50)),
        destination: { state: "broken" },
      };
      const { content } = JSON.parse(toMessage(JSON.stringify({ event: "link.update", data }), "discord")) as {
        content: string;
      };
      expect(content.length).toBeLessThanOrEqual(2_000);
    },
  );

  it("are one line for each text, without lone surrogates", () => {
    const title = `a\nb${"😀".repeat(100)}`;
    const lines = textOf("link.create", { ...LINK, title }).split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[3]?.isWellFormed()).toBe(true);
  });
});
