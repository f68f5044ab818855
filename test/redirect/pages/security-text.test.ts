import { expect, it, vi } from "vitest";
import { buildRequest, createAccount, send } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";

const get = (SECURITY_CONTACT: string, url = "/.well-known/security.txt", method = "GET") =>
  send(buildRequest(method, url), { SECURITY_CONTACT });

it("has the contacts of the operator and expires in 180 days (RFC 9116)", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 1) });
  const response = await get("security@example.com, https://example.com/report,mailto:b@example.com");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe(
    [
      "Contact: mailto:security@example.com",
      "Contact: https://example.com/report",
      "Contact: mailto:b@example.com",
      "Expires: 2030-06-30T00:00:00.000Z",
      "Canonical: https://tern.test/.well-known/security.txt",
      "",
    ].join("\n"),
  );
  const head = await get("security@example.com", undefined, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("is missing without a valid contact, and on custom domains", async () => {
  for (const contact of ["", " , ", "nobody", "http://example.com/", "a@b@c", "https://exa mple.com/", "https://"])
    expect([contact, (await get(contact)).status]).toEqual([contact, 404]);
  const { accountId } = await createAccount();
  await insertDomain(accountId, "go.acme.com");
  expect((await get("security@example.com", "https://go.acme.com/.well-known/security.txt")).status).toBe(404);
});
