import { beforeEach, expect, it } from "vitest";
import type { SharedPage } from "../../src/shared-pages/contract.ts";
import { callForJson, callPlaced, createPlacedAccounts, type PlacedAccount } from "../support/several-databases.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  accounts = await createPlacedAccounts();
});

it("is shown to viewers from the database of its account", async () => {
  for (const number of [0, 1, 2] as const) {
    const { key } = accounts[number];
    await callForJson("POST", "/api/links", { key, body: { url: "https://example.com/", tags: ["sale"] } });
    const body = { tag: "sale", title: `Page ${number}`, ...(number === 2 && { password: "tern in the wind" }) };
    const { json } = await callForJson<{ sharedPage: SharedPage }>("POST", "/api/shared-pages", { key, body });
    const token = json.sharedPage.url.split("/").at(-1) ?? "";
    const path = `/api/shared/${token}`;
    if (number === 2) {
      expect((await callPlaced("GET", path)).status).toBe(401);
      expect((await callPlaced("POST", `${path}/password`, { body: { password: "wrong" } })).status).toBe(403);
      const right = await callPlaced("POST", `${path}/password`, { body: { password: "tern in the wind" } });
      expect(right.status).toBe(200);
      continue;
    }
    const viewed = await callForJson<{ page: { title: string } }>("GET", path);
    expect([viewed.status, viewed.json.page.title]).toEqual([200, `Page ${number}`]);
  }
});
