import { describe, expect, it } from "vitest";
import { checkTemplate } from "../../../src/webhooks/messages/check-template.ts";
import { EXAMPLES } from "../../../src/webhooks/messages/examples.ts";
import { toMessage } from "../../../src/webhooks/messages/message.ts";
import { placeholdersOf, readPlaceholder, TEMPLATE_EVENTS } from "../../../src/webhooks/messages/placeholders.ts";
import { renderTemplate } from "../../../src/webhooks/messages/render-template.ts";
import { MAX_MESSAGE_TEXT_CHARS, MAX_SLACK_TEXT_CHARS, MAX_TEMPLATE_CHARS } from "../../../src/webhooks/limits.ts";

/** A click whose texts a stranger has chosen as far as possible. */
const HOSTILE = "*x* _y_ ~~z~~ `q` [t](https://evil.dev) <!channel> <@U1> @everyone https://evil.dev **b**";
const click = (changes: object = {}) => ({
  event: "link.click" as const,
  timestamp: 1_790_000_000_000,
  data: {
    link: { shortUrl: "https://go.example/a", url: "https://example.com/?a=1&b=(2)", slug: "a_b" },
    geo: { country: null, city: HOSTILE },
    browser: "other",
    source: "",
    target: { url: "https://example.com/" },
    ...changes,
  },
});
const render = (template: string, event = click()) => renderTemplate(template, event);
const bodyOf = (template: string, format: "slack" | "discord" | "teams", event: object = click()) =>
  JSON.parse(toMessage(JSON.stringify(event), format, { "link.click": template })) as Record<string, unknown>;

describe("the mark-up of a template", () => {
  it.each([
    ["**a** b", [{ text: "a", bold: true }, { text: " b" }]],
    [
      "*a* _b_ ~~c~~",
      [
        { text: "a", italic: true },
        { text: " " },
        { text: "b", italic: true },
        { text: " " },
        { text: "c", strike: true },
      ],
    ],
    ["***a***", [{ text: "a", bold: true, italic: true }]],
    [
      "`**a** {{link.slug}}`",
      [
        { text: "**a** ", code: true },
        { text: "a_b", code: true },
      ],
    ],
    [
      "[to **it**](https://a.dev/x)",
      [
        { text: "to ", url: "https://a.dev/x" },
        { text: "it", bold: true, url: "https://a.dev/x" },
      ],
    ],
    ["\\*a\\* \\{\\{b\\}\\} \\\\", [{ text: "*a* {{b}} \\" }]],
    ["snake_case_name, 2 * 3 * 4, **open", [{ text: "snake_case_name, 2 * 3 * 4, **open" }]],
  ])("%s", (template, runs) => expect(render(template)).toEqual(runs));

  it("cannot come from a value", () => {
    expect(render("**{{click.city}}** [{{click.city}}](https://a.dev/)")).toEqual([
      { text: HOSTILE, bold: true },
      { text: " " },
      { text: HOSTILE, url: "https://a.dev/" },
    ]);
  });

  it("takes no longer for a template of nothing but signs", () => {
    for (const sign of ["*", "**", "_a", "[", "`", "~~", "[](", "**~~*_"])
      expect(render(sign.repeat(MAX_TEMPLATE_CHARS / sign.length)).length).toBeLessThan(MAX_TEMPLATE_CHARS);
  });
});

describe("a placeholder", () => {
  it("has a value in the example of each event", () => {
    for (const type of TEMPLATE_EVENTS)
      for (const name of placeholdersOf(type))
        expect([name, readPlaceholder(name, EXAMPLES[type])]).not.toContain(null);
  });

  it.each([
    ["{{click.country}}", "–"],
    ["{{click.country|somewhere}}", "somewhere"],
    ["{{ click.country | a **b** }}", "a **b**"],
    ["{{click.browser}} {{click.source|none}}", "– none"],
    ["{{event.time}}", "2026-09-21 14:13 UTC"],
  ])("%s is %s", (template, text) =>
    expect(
      render(template)
        .map((run) => run.text)
        .join(""),
    ).toBe(text),
  );

  it("without a value and with an empty text is left out", () => expect(render("{{click.country|}}")).toEqual([]));

  it("has a list with commas, and no line breaks", () => {
    const event = { event: "link.create" as const, data: { tags: ["a", "b"], title: `x\n${"y".repeat(500)}` } };
    expect(renderTemplate("{{link.tags}}", event)).toEqual([{ text: "a, b" }]);
    expect(renderTemplate("{{link.title}}", event)[0]?.text).toMatch(/^x y+…$/);
    expect(renderTemplate("{{link.title}}", event)[0]?.text).toHaveLength(MAX_MESSAGE_TEXT_CHARS + 1);
  });

  it("of a URL is a link, unless the URL is long", () => {
    expect(render("{{link.shortUrl}}")).toEqual([{ text: "https://go.example/a", url: "https://go.example/a" }]);
    const long = click({ target: { url: `https://example.com/${"x".repeat(400)}` } });
    expect(render("{{click.targetUrl}} [to]({{click.targetUrl}})", long)).toEqual([
      { text: expect.stringMatching(/^https:\/\/example\.com\/x+…$/) },
      { text: " " },
      { text: "to" },
    ]);
  });

  it("in the target of a link is encoded", () => {
    expect(render("[a](https://crm.example/?q={{click.city}})")[0]?.url).toBe(
      `https://crm.example/?q=${encodeURIComponent(HOSTILE).replaceAll("'", "%27")}`,
    );
  });
});

describe("a check of a template", () => {
  it.each([
    ["{{link.shortUrl}} [a]({{link.url}}) [b](https://a.dev/{{click.city}}?{{link.id}})", []],
    ["{{link.title}}", [{ code: "unknown", part: "link.title" }]],
    ["{{click.contry}} {{click.contry}}", [{ code: "unknown", part: "click.contry" }]],
    ["{{}}", [{ code: "unknown", part: "" }]],
    ["a {{link.url b", [{ code: "unclosed", part: "{{link.url" }]],
    ["a {{link.url} b", [{ code: "unclosed", part: "{{link.url" }]],
    ["link.url}} b", [{ code: "unopened", part: "link.url}}" }]],
    ["[a](javascript:alert)", [{ code: "target", part: "javascript:alert" }]],
    ["[a](https://{{click.source}}/)", [{ code: "target", part: "https://{{click.source}}/" }]],
    ["[a](https://a.dev{{click.source}}/)", [{ code: "target", part: "https://a.dev{{click.source}}/" }]],
    ["[a](https://a.dev@{{click.source}}/)", [{ code: "target", part: "https://a.dev@{{click.source}}/" }]],
    ["[a]({{click.city}})", [{ code: "target", part: "{{click.city}}" }]],
  ])("%s", (template, faults) => expect(checkTemplate(template, "link.click")).toEqual(faults));
});

describe("a message by a template", () => {
  const TEMPLATE = "**New *click*** on [{{link.slug}}]({{link.url}})\n\nfrom {{click.city}}";

  it("has rich text in Slack", () => {
    expect(bodyOf(TEMPLATE, "slack")).toEqual({
      text: "New click on a_b",
      unfurl_links: false,
      blocks: [
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "New ", style: { bold: true } },
                { type: "text", text: "click", style: { bold: true, italic: true } },
                { type: "text", text: " on " },
                { type: "link", url: "https://example.com/?a=1&b=(2)", text: "a_b" },
                { type: "text", text: "\n" },
                { type: "text", text: "\n" },
                { type: "text", text: "from " },
                { type: "text", text: HOSTILE },
              ],
            },
          ],
        },
      ],
    });
  });

  it("is escaped Markdown in Discord", () => {
    const { content, ...others } = bodyOf(TEMPLATE, "discord");
    const [first, second, third] = String(content).split("\n");
    expect(first).toBe(String.raw`**New *click*** on [a\_b](<https://example.com/?a=1&b=%282%29>)`);
    expect(second).toBe("");
    expect(third).toBe(`from ${HOSTILE.replaceAll(/[\\`*_~|<>#[\]():-]/g, String.raw`\$&`)}`);
    expect(bodyOf("*a **b*** **c**`d``e`", "discord")).toMatchObject({ content: "*a **b*** **c**`de`" });
    expect(bodyOf("*a* **b**", "discord")).toMatchObject({ content: "*a* **b**" });
    expect(bodyOf("*a*~~b~~", "discord")).toMatchObject({ content: "*a*\u200B~~b~~" });
    expect(others).toEqual({ allowed_mentions: { parse: [] }, flags: 4 });
    expect(bodyOf("`{{click.city}}`", "discord")).toMatchObject({ content: `\`${HOSTILE.replaceAll("`", "'")}\`` });
  });

  it("is a card in Teams", () => {
    expect(bodyOf("**a** ~~b~~ `c`\n\n{{link.shortUrl}}", "teams")).toMatchObject({
      attachments: [
        {
          content: {
            body: [
              {
                type: "RichTextBlock",
                inlines: [
                  { type: "TextRun", text: "a", weight: "Bolder" },
                  { text: " " },
                  { text: "b", strikethrough: true },
                  { text: " " },
                  { text: "c", fontType: "Monospace" },
                ],
              },
              { inlines: [{ text: "\u00A0" }] },
              {
                inlines: [
                  {
                    text: "https://go.example/a",
                    selectAction: { type: "Action.OpenUrl", url: "https://go.example/a" },
                  },
                ],
              },
            ],
            actions: [],
          },
        },
      ],
    });
  });

  it("is cut at what each service takes, whatever the values are", () => {
    const event = click({ geo: { city: "*日".repeat(75) }, target: { url: `https://example.com/${"ü".repeat(45)}` } });
    for (const template of [
      "{{click.city}}".repeat(70),
      "**{{click.city}}**\n".repeat(50),
      "{{click.targetUrl}} ".repeat(50),
    ]) {
      const { content } = bodyOf(template, "discord", event);
      expect(String(content).length).toBeLessThanOrEqual(2_000);
      expect(String(content).length).toBeGreaterThan(1_700);
      expect(content).toContain("…");
      expect(new TextEncoder().encode(JSON.stringify(bodyOf(template, "teams", event))).length).toBeLessThanOrEqual(
        28_000,
      );
      const { blocks } = bodyOf(template, "slack", event) as {
        blocks: { elements: { elements: { text?: string; url?: string }[] }[] }[];
      };
      const shown = (blocks[0]?.elements[0]?.elements ?? []).map(({ text, url }) => text ?? url).join("");
      expect(shown.length).toBeLessThanOrEqual(MAX_SLACK_TEXT_CHARS + 1);
      expect(shown).toMatch(/…$/);
    }
  });

  it("is the fixed one where the template leaves nothing, and for events without a template", () => {
    expect(
      bodyOf(
        "{{click.country|}} \n",
        "slack",
        click({ browser: "Safari", os: "iOS", source: null, geo: { city: null, country: null } }),
      ),
    ).toMatchObject({
      text: "A short link was visited",
    });
    const data = { domain: "go.acme.com" };
    const body = JSON.stringify({ event: "domain.verified", data });
    expect(toMessage(body, "slack", { "link.click": "x" })).toBe(toMessage(body, "slack", null));
  });
});
