import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { packVerdict } from "#src/redirect/verdict.ts";
import { createAccount, createLink } from "../support/api.ts";
import { callTool, dataOf, textOf } from "./client.ts";

it("links say in lists that they are blocked, and healthy ones say nothing", async () => {
  const { key } = await createAccount();
  const healthy = await createLink(key);
  const { id } = await createLink(key);
  const blocked = packVerdict({ state: "blocked", reason: "phishing", since: null }, false);
  await env.DB.prepare("UPDATE links SET verdict = ?1 WHERE id = ?2").bind(blocked, id).run();
  const { links } = await dataOf<{ links: { id: string; verdict?: object }[] }>(key, "list_links", {});
  expect(links.map((link) => [link.id, link.verdict])).toEqual([
    [id, { state: "blocked", reason: "phishing" }],
    [healthy.id, undefined],
  ]);
  expect(textOf(await callTool(key, "list_links", {}))).toContain(`(id ${id}, blocked, 0 clicks)`);
});
