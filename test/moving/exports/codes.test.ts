import { BlobReader, Uint8ArrayWriter, ZipReader } from "@zip.js/zip.js";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { fakeImage } from "../../support/fake-image.ts";
import { insertManyLinks } from "../../support/many-links.ts";
import { readPng } from "../../support/png.ts";
import { scan } from "../../support/scanner.ts";
import { readSvg } from "../../support/svg.ts";
import { exportFile, FILES, finishFile, startFile } from "./file-support.ts";

async function readZip(bytes: ArrayBuffer): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const reader = new ZipReader(new BlobReader(new Blob([bytes])), { useWebWorkers: false, checkSignature: true });
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of await reader.getEntries())
    if (!entry.directory) files.set(entry.filename, await entry.getData(new Uint8ArrayWriter()));
  await reader.close();
  return files;
}

describe("the ZIP file of QR codes", () => {
  it("has a code of each link that a scanner reads, as SVG and as PNG, under names that any system can store", async () => {
    const { key, accountId } = await createAccount();
    for (const domain of ["con.example.com", `${"long.".repeat(48)}example.com`]) await insertDomain(accountId, domain);
    const links = [
      await createLink(key, { slug: "Spring-26" }),
      await createLink(key, { slug: "x".repeat(64), domain: "con.example.com" }),
      await createLink(key, { slug: "deep", domain: `${"long.".repeat(48)}example.com` }),
    ];
    for (let index = 0; index < 42; index++) links.push(await createLink(key));
    const expected = links.map(({ shortUrl }) => `${shortUrl}?qr=1`).toSorted();

    const svg = await exportFile({ key }, { kind: "qr" });
    expect(svg.state).toMatchObject({ kind: "qr", format: "svg", progress: { done: 45, total: 45 } });
    expect(svg.response.headers.get("Content-Type")).toBe("application/zip");
    const vectors = await readZip(svg.bytes);
    const read = [...vectors.values()].map((bytes) => scan(readSvg(new TextDecoder().decode(bytes)).modules, 3));
    expect(read.toSorted()).toEqual(expected);
    const names = [...vectors.keys()];
    expect(names).toContain("tern.test-Spring-26.svg");
    expect(names).toContain(`con_.example.com-${"x".repeat(64)}.svg`);
    for (const name of names) expect(name).toMatch(/^[\w.-]{1,250}$/);

    const style = { foreground: "#123456", background: "#fec", level: "H", size: 300, margin: 2 };
    const png = await exportFile({ key }, { kind: "qr", format: "png", ids: [links[0]?.id], ...style });
    const [[name = "", bytes = new Uint8Array()] = []] = await readZip(png.bytes);
    expect(name).toBe("tern.test-Spring-26.png");
    const image = await readPng(bytes);
    expect(image).toMatchObject({ size: 300, palette: ["#ffeecc", "#123456"] });
    expect(scan(image.pixels)).toBe(`${links[0]?.shortUrl}?qr=1`);
  });

  it("gives files different names where domains or slugs differ only in what names cannot have", async () => {
    const { key, accountId } = await createAccount();
    const long = "a.".repeat(100);
    for (const end of ["b.example.com", "c.example.com"]) {
      await insertDomain(accountId, long + end);
      await createLink(key, { slug: "Same", domain: long + end });
    }
    const files = await readZip((await exportFile({ key }, { kind: "qr" })).bytes);
    const start = long.slice(0, 150);
    expect([...files.keys()]).toEqual([`${start}-Same.svg`, `${start}-Same~2.svg`]);
  });

  it("has codes in the styles of the domains, as a link's code has, and reads each style once", async () => {
    const { key, accountId } = await createAccount();
    const hosts = ["go.acme.com", "qr.acme.com", "plain.acme.com"];
    const styles = [{ foreground: "#12492b", dots: "rounded" }, { margin: 1, logo: fakeImage("png") }, null];
    for (const [index, host] of hosts.entries()) {
      const id = await insertDomain(accountId, host);
      const body = { qrStyle: styles[index] };
      expect((await call("PUT", `/api/domains/${id}/qr-style`, { key, body })).status).toBe(200);
    }
    const links: Link[] = [];
    // More than two pages of the export.
    for (let index = 0; index < 45; index++)
      links.push(await createLink(key, { slug: `n${index}`, domain: hosts[index % 3] ?? "" }));
    let files = new Map<string, Uint8Array>();
    const { rowsRead } = await measureD1(
      async () => (files = await readZip((await exportFile({ key }, { kind: "qr" })).bytes)),
      (sql) => sql.includes("qr_style"),
    );
    expect(rowsRead).toBe(hosts.length);
    const textOf = (name: string) => new TextDecoder().decode(files.get(name));
    for (const { id, domain, slug } of links.slice(0, 6)) {
      const shown = await call("GET", `/api/links/${id}/qr`, { key });
      expect(textOf(`${domain}-${slug}.svg`)).toBe(await shown.text());
    }
    const of = (host: string | undefined) => links.filter(({ domain }) => domain === host);
    for (const { domain, slug } of of(hosts[0])) expect(textOf(`${domain}-${slug}.svg`)).toContain("#12492b");

    // What the request says wins.
    const ids = [links[0]?.id];
    const other = await readZip((await exportFile({ key }, { kind: "qr", ids, foreground: "#7a1020" })).bytes);
    const shown = await call("GET", `/api/links/${links[0]?.id}/qr?foreground=%237a1020`, { key });
    expect([...other.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual([await shown.text()]);
    const plain = await readZip((await exportFile({ key }, { kind: "qr", ids, domainStyle: false })).bytes);
    const usual = await call("GET", `/api/links/${links[0]?.id}/qr?domainStyle=false`, { key });
    expect([...plain.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual([await usual.text()]);
  });

  it("is not made if a code cannot be drawn, and says which and why", async () => {
    const { key, accountId } = await createAccount();
    const id = await insertDomain(accountId, "go.acme.com");
    const qrStyle = { frameText: "Scan me", dots: "round" };
    expect((await call("PUT", `/api/domains/${id}/qr-style`, { key, body: { qrStyle } })).status).toBe(200);
    const { shortUrl } = await createLink(key, { slug: "x".repeat(64), domain: "go.acme.com" });
    const started = await startFile({ key }, { kind: "qr", format: "png", size: 128 });
    const { status, fault } = await finishFile({ key }, started.id);
    expect(status).toBe("failed");
    expect(fault).toMatchObject({ code: "code_not_drawn", value: shortUrl, reason: "code_too_small" });
  });

  it("is refused for settings that no code can have, and for too many links", async () => {
    const { key, accountId } = await createAccount();
    const wrong = [
      [{ foreground: "#ffffff" }, "foreground"],
      [{ size: 100 }, "size"],
      [{ format: "csv" }, "format"],
      [{ download: true }, "download"],
    ] as const;
    for (const [setting, path] of wrong) {
      const refused = await call("POST", FILES, { key, body: { kind: "qr", ...setting } });
      expect([refused.status, await jsonOf(refused)]).toMatchObject([400, { details: [{ path }] }]);
    }
    await insertManyLinks(env.DB, accountId, 10_001);
    const refused = await call("POST", FILES, { key, body: { kind: "qr" } });
    const tooMany = { path: "createdAfter", code: "too_many_selected", max: 10_000, resource: "link" };
    expect([refused.status, await jsonOf(refused)]).toMatchObject([400, { details: [tooMany] }]);
  });
});
