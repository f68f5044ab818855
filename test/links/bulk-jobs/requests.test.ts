import { expect, it } from "vitest";
import { addKey, call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { BULK } from "./support.ts";

const ids = ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"];
const filter = {};
const ACTIONS = ["changes", "delete", "restore"];

it.each([
  [{ changes: { title: "x" } }, { path: "", code: "not_one_given", allowed: ["ids", "filter"] }],
  [
    { ids, filter, delete: true },
    { path: "", code: "not_one_given", allowed: ["ids", "filter"] },
  ],
  [{ ids }, { path: "", code: "not_one_given", allowed: ACTIONS }],
  [
    { ids, delete: true, restore: true },
    { path: "", code: "not_one_given", allowed: ACTIONS },
  ],
  [
    { filter, restore: true },
    { path: "restore", code: "needs", field: "ids" },
  ],
  [
    { filter: { tagMode: "all" }, delete: true },
    { path: "tagMode", code: "needs", field: "tag" },
  ],
  [
    { filter, changes: {} },
    { path: "changes", code: "nothing_given" },
  ],
  [
    { filter, changes: { tags: [], addTags: ["a"] } },
    { path: "changes.tags", code: "not_together", field: "addTags" },
  ],
  [
    { filter, changes: { tags: [], removeTags: ["a"] } },
    { path: "changes.tags", code: "not_together", field: "removeTags" },
  ],
  [
    { filter, changes: { addTags: ["a"], removeTags: ["A"] } },
    { path: "changes.removeTags", code: "also_in", field: "addTags" },
  ],
  [
    { filter, changes: { url: "https://tern.test/x" } },
    { path: "changes.url", code: "leads_back" },
  ],
  [
    { filter, changes: { slug: "x", title: "y" } },
    { path: "changes.slug", code: "unknown_field" },
  ],
  [
    { filter, delete: false },
    { path: "delete", code: "not_one_of", allowed: ["true"] },
  ],
])("a bulk job is refused as %j", async (body, fault) => {
  const { key } = await createAccount();
  const answer = await call("POST", BULK, { key, body });
  expect([answer.status, (await jsonOf<ErrorJson>(answer)).details?.[0]]).toMatchObject([400, fault]);
});

it("a bulk job needs the domain to which it moves links, and the permission to change links", async () => {
  const { accountId, key } = await createAccount();
  const moved = await call("POST", BULK, { key, body: { filter, changes: { domain: "go.acme.com" } } });
  expect([moved.status, (await jsonOf<ErrorJson>(moved)).details]).toMatchObject([
    403,
    [{ code: "domain_refused", value: "go.acme.com" }],
  ]);
  const only = await addKey(accountId, ["bulk"]);
  const refused = await call("POST", BULK, { key: only.key, body: { filter, delete: true } });
  expect([refused.status, (await jsonOf<ErrorJson>(refused)).details]).toMatchObject([
    403,
    [{ code: "lacks_permission", allowed: ["links:write"] }],
  ]);
});
