import { expect, it } from "vitest";
import { addKey, call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";
import { fakeImage } from "../support/fake-image.ts";

const STYLE = { foreground: "#12492b", dots: "rounded", frameText: "Scan me", margin: 4 };

async function openDomain() {
  const account = await createAccount();
  const id = await insertDomain(account.accountId, "go.acme.com");
  return { ...account, path: `/api/domains/${id}/qr-style` };
}

const openLink = async (key: string) => (await createLinkAt("go.acme.com", key, { slug: "spring" })).id;

const textOf = async (key: string, path: string): Promise<string> => (await call("GET", path, { key })).text();

it("is that of the codes of the domain's links, as far as a request does not say otherwise", async () => {
  const { key, path } = await openDomain();
  const image = `/api/links/${await openLink(key)}/qr`;
  const plain = await textOf(key, image);
  const set = await call("PUT", path, { key, body: { qrStyle: STYLE } });
  expect([set.status, await set.json()]).toEqual([200, { qrStyle: STYLE }]);
  expect(await (await call("GET", path, { key })).json()).toEqual({ qrStyle: STYLE });

  const styled = "foreground=%2312492b&dots=rounded&frameText=Scan%20me&margin=4";
  expect(await textOf(key, image)).toBe(await textOf(key, `${image}?domainStyle=false&${styled}`));
  const other = styled.replace("12492b", "7a1020");
  expect(await textOf(key, `${image}?foreground=%237a1020`)).toBe(
    await textOf(key, `${image}?domainStyle=false&${other}`),
  );
  expect(await textOf(key, `${image}?domainStyle=false`)).toBe(plain);

  expect((await call("PUT", path, { key, body: { qrStyle: null } })).status).toBe(200);
  expect(await textOf(key, image)).toBe(plain);
});

it("a changed style changes the ETag of a code", async () => {
  const { key, path } = await openDomain();
  const image = `/api/links/${await openLink(key)}/qr`;
  const etag = (await call("GET", image, { key })).headers.get("ETag") ?? "";
  await call("PUT", path, { key, body: { qrStyle: STYLE } });
  const later = await call("GET", image, { key, headers: { "If-None-Match": etag } });
  expect(later.status).toBe(200);
});

it("a style may have a logo", async () => {
  const { key, path } = await openDomain();
  const qrStyle = { logo: fakeImage("png"), level: "H" };
  expect((await call("PUT", path, { key, body: { qrStyle } })).status).toBe(200);
  expect(await (await call("GET", path, { key })).json()).toEqual({ qrStyle });
});

it.each([
  [{ foreground: "#999999" }, "foreground"],
  [{ foreground: "#5b14c9", background: "#2dc40b", dots: "rounded" }, "foreground"],
  [{ logo: fakeImage("png"), level: "M" }, "level"],
  [{ frameText: "Scan me", margin: 1 }, "margin"],
])("%j is refused with what to change", async (qrStyle, field) => {
  const { key, path } = await openDomain();
  const refused = await call("PUT", path, { key, body: { qrStyle } });
  const { details } = await jsonOf<ErrorJson>(refused);
  expect([refused.status, details?.map((each) => each.path)]).toEqual([400, [`qrStyle.${field}`]]);
  expect(await (await call("GET", path, { key })).json()).toEqual({ qrStyle: null });
});

it("has no size, and is not empty", async () => {
  const { key, path } = await openDomain();
  for (const qrStyle of [{}, { size: 200 }])
    expect((await call("PUT", path, { key, body: { qrStyle } })).status).toBe(400);
});

it("is that of the own account's domain, also where another account has one of this name", async () => {
  const { key, path } = await openDomain();
  const other = await createAccount();
  for (const [method, body] of [["GET"], ["PUT", { qrStyle: STYLE }]] as const)
    expect((await call(method, path, { key: other.key, ...(body && { body }) })).status).toBe(403);
  await call("PUT", path, { key, body: { qrStyle: STYLE } });
  const ownHost = await createLink(other.key);
  expect(await textOf(other.key, `/api/links/${ownHost.id}/qr`)).not.toContain("#12492b");
});

it("a key needs the permission to change domains", async () => {
  const { accountId, path } = await openDomain();
  const { key } = await addKey(accountId, ["domains:read"]);
  expect((await call("PUT", path, { key, body: { qrStyle: STYLE } })).status).toBe(403);
});
