import { crc32 } from "node:zlib";
import { MAX_APP_ASSOCIATION_BYTES } from "../../src/domains/limits.ts";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "../../src/imports/limits.ts";
import { MAX_QR_LOGO_BYTES } from "../../src/qr/limits.ts";

// Files that requests contain, of the largest size.

/** The two files that link apps to a domain, together of nearly the size of a body. */
export function largestAppFiles() {
  const detail = (n: number) => ({
    appIDs: [`ABCDE12345.com.example.app${n}`],
    components: [{ "/": `/${n}/*`, "?": { a: "b" }, exclude: true }],
  });
  const statement = (n: number) => ({
    relation: ["delegate_permission/common.handle_all_urls"],
    target: {
      namespace: "android_app",
      package_name: `com.example.app${n}`,
      sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "AB").join(":")],
    },
  });
  const fill = <T>(make: (n: number) => T): T[] => {
    const bytes = Buffer.byteLength(JSON.stringify(make(100)));
    return Array.from({ length: Math.floor((0.9 * MAX_APP_ASSOCIATION_BYTES) / bytes) }, (_, n) => make(n));
  };
  return { appleAppSiteAssociation: { applinks: { details: fill(detail) } }, assetLinks: fill(statement) };
}

/** A PNG of the largest size as a data URI. A text chunk fills it. */
export function largestLogo(): string {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const start = [
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", Buffer.from("00000001000000010100000000", "hex")),
  ];
  const end = [chunk("IDAT", Buffer.from("789c63000000020001", "hex")), chunk("IEND", Buffer.alloc(0))];
  const png = (filler: number) => Buffer.concat([...start, chunk("tEXt", Buffer.alloc(filler, 1)), ...end]);
  return `data:image/png;base64,${png(MAX_QR_LOGO_BYTES - png(0).length).toString("base64")}`;
}

/** A file of links without slugs; a URL of an invalid one makes the import refuse all rows. */
export function importFile(rows: number, titleChars: number, url = "https://example.com/"): string {
  const title = "x".repeat(titleChars);
  return `url,title,tags\n${Array.from({ length: rows }, (_, n) => `${url}${n},${title},"a,b"\n`).join("")}`;
}

export const largestImport = () =>
  importFile(MAX_IMPORT_ROWS, Math.floor(MAX_IMPORT_FILE_BYTES / MAX_IMPORT_ROWS) - 40);
