import { expect, it } from "vitest";
import { createAccount } from "../support/api.ts";
import { send, sendModern } from "./client.ts";

interface Tool {
  name: string;
  _meta?: { ui?: { resourceUri: string } };
}

const URI = "ui://tern/clicks";

it("get_analytics names the page that shows its result, and no other tool has one", async () => {
  const { key } = await createAccount();
  for (const list of [await send(key, "tools/list"), await sendModern(key, "tools/list")]) {
    const tools = list.result?.["tools"] as Tool[];
    const withPage = tools.filter(({ _meta }) => _meta?.ui !== undefined);
    expect(withPage).toMatchObject([{ name: "get_analytics", _meta: { ui: { resourceUri: URI } } }]);
  }
  const { result } = await sendModern(key, "server/discover");
  expect(result).toMatchObject({ capabilities: { extensions: { "io.modelcontextprotocol/ui": {} } } });
});

it("the page is one file that loads nothing and turns no text into HTML", async () => {
  const { key } = await createAccount(["clicks:read"]);
  const { result } = await send(key, "resources/read", { uri: URI });
  const { contents } = result as { contents: { mimeType: string; text: string }[] };
  expect(contents).toMatchObject([{ uri: URI, mimeType: "text/html;profile=mcp-app" }]);
  const html = contents[0]?.text ?? "";
  expect(html).toMatch(/^<!doctype html>/);
  // The namespace of SVG is no address.
  expect(html.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|\/\/\w|\bsrc=|\bhref=|@import|url\(/);
  expect(html).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|%color/);
});

it("the page is there only for callers that may read clicks", async () => {
  const { key } = await createAccount(["links:read"]);
  expect((await send(key, "resources/read", { uri: URI })).error?.code).toBe(-32_602);
  expect((await send(key, "resources/list")).result).toEqual({ resources: [] });
  const reader = await createAccount(["clicks:read"]);
  expect((await send(reader.key, "resources/list")).result).toMatchObject({ resources: [{ uri: URI }] });
});
