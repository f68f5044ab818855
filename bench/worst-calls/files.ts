import { crc32 } from "node:zlib";
import { MAX_APP_ASSOCIATION_BYTES } from "../../src/domains/limits.ts";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "../../src/imports/limits.ts";
import { MAX_QR_LOGO_BYTES } from "../../src/qr/limits.ts";

// Files that requests contain, of the largest size.

/** The two files that link apps to a domain, together of nearly the size of a body. */
export function largestAppFiles() {
  const fill = (entry: object) => {
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    return Array.from({ length: Math.floor((0.9 * MAX_APP_ASSOCIATION_BYTES) / bytes) }, () => entry);
  };
  const components = [{ "/": "/path/*", "?": { a: "b" }, exclude: true }];
  const fingerprint = Array.from({ length: 32 }, () => "AB").join(":");
  const target = { namespace: "android_app", package_name: "com.example.app", sha256_cert_fingerprints: [fingerprint] };
  return {
    appleAppSiteAssociation: { applinks: { details: fill({ appIDs: ["ABCDE12345.com.example.app"], components }) } },
    assetLinks: fill({ relation: ["delegate_permission/common.handle_all_urls"], target }),
  };
}

/** A PNG of the largest size as a data URI. A text chunk fills it. */
export function largestLogo(): string {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const header = chunk("IHDR", Buffer.from("00000001000000010100000000", "hex"));
  const image = chunk("IDAT", Buffer.from("789c63000000020001", "hex"));
  const parts = [Buffer.from("89504e470d0a1a0a", "hex"), header, image, chunk("IEND", Buffer.alloc(0))];
  const filler = MAX_QR_LOGO_BYTES - Buffer.concat(parts).length - chunk("tEXt", Buffer.alloc(0)).length;
  parts.splice(2, 0, chunk("tEXt", Buffer.alloc(filler, 1)));
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}

/** A file of links without slugs; a URL of an invalid one makes the import refuse all rows. */
export function importFile(
  rows = MAX_IMPORT_ROWS,
  titleChars = Math.floor(MAX_IMPORT_FILE_BYTES / MAX_IMPORT_ROWS) - 40,
  url = "https://example.com/",
): string {
  const title = "x".repeat(titleChars);
  return `url,title,tags\n${Array.from({ length: rows }, (_, n) => `${url}${n},${title},"a,b"\n`).join("")}`;
}
