import { describe, expect, it } from "vitest";
import { createAccount, createLink } from "../support/api.ts";
import { send, sendModern } from "./client.ts";

describe("resources and prompts", () => {
  it("read a link by its address, and an unknown one is an error of the parameters", async () => {
    const { key } = await createAccount(["links:read", "links:write"]);
    const { id } = await createLink(key, { title: "Sale" });
    const { result } = await send(key, "resources/list");
    expect(result).toMatchObject({ resources: [{ uri: `tern://links/${id}`, title: "Sale" }] });
    const read = await send(key, "resources/read", { uri: `tern://links/${id}` });
    const { contents } = read.result as { contents: { text: string }[] };
    expect(JSON.parse(contents[0]?.text ?? "")).toMatchObject({ id, title: "Sale" });
    const unknown = { uri: "tern://links/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f" };
    expect((await send(key, "resources/read", unknown)).error?.code).toBe(-32_602);
  });

  it("are announced only to callers that may read links", async () => {
    for (const [permission, resources] of [
      ["clicks:read", undefined],
      ["links:read", { listChanged: false, subscribe: false }],
    ] as const) {
      const { key } = await createAccount([permission]);
      const { result } = await sendModern(key, "server/discover");
      expect((result as { capabilities: { resources?: object } }).capabilities.resources).toEqual(resources);
    }
  });

  it("are two prompts that name the tools to call", async () => {
    const { key } = await createAccount();
    const { result } = await send(key, "prompts/get", { name: "campaign_report", arguments: { tag: "spring" } });
    expect(JSON.stringify(result)).toContain("get_analytics");
    const pages = await send(key, "prompts/get", {
      name: "create_links_for_pages",
      arguments: { pages: "https://example.com/a" },
    });
    expect(JSON.stringify(pages.result)).toContain("create_links");
  });
});
