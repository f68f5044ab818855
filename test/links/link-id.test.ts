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

it.each(ROUTES)(
  "an id that may be a slug leads to the calls that find links: %s /api/links/spring%s",
  async (method, path, body) => {
    const { key } = await createAccount();
    await createLink(key, { slug: "spring" });
    const response = await call(method, `/api/links/spring${path}`, { key, body });
    expect([response.status, await jsonOf<ErrorJson>(response)]).toEqual([
      404,
      {
        code: "not_found",
        error:
          "There is no such link: an id is a UUID. If spring is a slug, find the link with GET /api/links?slug=spring. " +
          "GET /api/links/by-url?url=… finds a link by its short URL.",
      },
    ]);
    const { links } = await jsonOf<{ links: object[] }>(await call("GET", "/api/links?slug=spring", { key }));
    expect(links).toHaveLength(1);
  },
);

it("a short URL in place of the id leads to the call that finds it", async () => {
  const { key } = await createAccount();
  const response = await call("GET", `/api/links/${encodeURIComponent("https://tern.test/spring")}`, { key });
  expect((await jsonOf<ErrorJson>(response)).error).toBe(
    "There is no such link: an id is a UUID. GET /api/links/by-url?url=… finds a link by its short URL.",
  );
});
