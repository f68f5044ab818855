import { expect, it } from "vitest";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { dataOf } from "./client.ts";

it("links are listed and changed by what created them, whose id a link has", async () => {
  const { key } = await createAccount();
  const body = { name: "Robot", permissions: ["links:read", "links:write"] };
  const { value } = (await jsonOf<{ key: { value: string } }>(await call("POST", "/api/keys", { key, body }))).key;
  const [first, second] = [await createLink(key), await createLink(value)];
  const { link } = await dataOf<{ link: { createdBy: { type: string; id: string } } }>(key, "get_link", {
    id: second.id,
  });
  expect(link.createdBy.type).toBe("key");
  const createdBy = link.createdBy.id;
  expect(await dataOf(key, "list_links", { createdBy })).toMatchObject({ links: [{ id: second.id }], remaining: 0 });
  const others = { createdBy: `!${createdBy}` };
  expect(await dataOf(key, "list_links", others)).toMatchObject({ links: [{ id: first.id }], remaining: 0 });
  const args = { filter: { createdBy }, changes: { archived: true } };
  expect(await dataOf(key, "bulk_update_links", args)).toMatchObject({ changed: 1, remaining: 0 });
  expect(await dataOf(key, "list_links")).toMatchObject({ links: [{ id: first.id }] });
});
