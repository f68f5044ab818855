import { MAX_APP_ASSOCIATION_BYTES } from "../../../src/domains/limits.ts";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "../../../src/moving/imports/limits.ts";

// Files that requests contain, of the largest size.

/** The two files that link apps to a domain, together of nearly the size of a body. */
export function largestAppFiles() {
  const fill = (entry: object) =>
    Array<object>(Math.floor((0.9 * MAX_APP_ASSOCIATION_BYTES) / JSON.stringify(entry).length)).fill(entry);
  const components = [{ "/": "/path/*", "?": { a: "b" }, exclude: true }];
  const sha256_cert_fingerprints = [Array<string>(32).fill("AB").join(":")];
  const target = { namespace: "android_app", package_name: "com.example.app", sha256_cert_fingerprints };
  return {
    appleAppSiteAssociation: { applinks: { details: fill({ appIDs: ["ABCDE12345.com.example.app"], components }) } },
    assetLinks: fill({ relation: ["delegate_permission/common.handle_all_urls"], target }),
  };
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
