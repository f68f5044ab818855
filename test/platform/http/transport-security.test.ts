import { expect, it } from "vitest";
import { buildRequest, createAccount, createLink, send } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";

const HEADER = "Strict-Transport-Security";

it("is demanded by every response over https, and by none over http", async () => {
  const { accountId, key } = await createAccount();
  await insertDomain(accountId, "go.acme.com");
  await createLink(key, { slug: "plain" });
  await createLink(key, { slug: "locked", password: "correct horse" });
  await createLink(key, { slug: "in-app", android: "acme://x" });
  const paths = ["/plain", "/plain", "/plain?x=1", "/locked", "/in-app", "/plain+", "/unknown", "/", "/robots.txt"];
  const api = ["/api/links", "/api/health", "/api/openapi.json", "/api/nothing"];
  for (const path of [...paths, ...api]) {
    const secure = await send(buildRequest("GET", `https://tern.test${path}`, { key }));
    expect([path, secure.headers.get(HEADER)]).toEqual([path, "max-age=31536000"]);
    const plain = await send(buildRequest("GET", `http://tern.test${path}`, { key }));
    expect([path, plain.headers.get(HEADER)]).toEqual([path, null]);
  }
  for (const path of ["/", "/unknown", "/robots.txt"]) {
    const response = await send(buildRequest("GET", `https://go.acme.com${path}`));
    expect([path, response.headers.get(HEADER)]).toEqual([path, "max-age=31536000"]);
  }
});

it.each(["http://tern.test", ""])("is not demanded where BASE_URL is '%s'", async (BASE_URL) => {
  for (const path of ["/unknown", "/api/nothing"]) {
    const response = await send(buildRequest("GET", `https://tern.test${path}`), { BASE_URL });
    expect(response.headers.get(HEADER)).toBeNull();
  }
});
