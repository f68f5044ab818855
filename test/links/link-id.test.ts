import { expect, it } from "vitest";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";

const ROUTES: [method: string, path: string, body?: object][] = [
  ["GET", ""],
  ["PATCH", "", { title: "x" }],
  ["DELETE", ""],
  ["POST", "/restore"],
  ["GET", "/clicks"],
  ["GET", "/qr"],
];

const NO_ID = { path: "", code: "not_a_link_id" };

it.each(ROUTES)(
  "an id that may be a slug leads to the calls that find links: %s /api/links/spring%s",
  async (method, path, body) => {
    const { key } = await createAccount();
    await createLink(key, { slug: "spring" });
    const response = await call(method, `/api/links/spring${path}`, { key, body });
    expect([response.status, await jsonOf<ErrorJson>(response)]).toEqual([
      404,
      expect.objectContaining({ code: "not_found", details: [expect.objectContaining(NO_ID)] }),
    ]);
    const { links } = await jsonOf<{ links: object[] }>(await call("GET", "/api/links?slug=spring", { key }));
    expect(links).toHaveLength(1);
  },
);

it("a short URL in place of the id leads to the calls that find links", async () => {
  const { key } = await createAccount();
  const response = await call("GET", `/api/links/${encodeURIComponent("https://tern.test/spring")}`, { key });
  expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([NO_ID]);
});
