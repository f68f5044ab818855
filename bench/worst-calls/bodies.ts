import { crc32 } from "node:zlib";
import { isCountry } from "../../src/links/normalize.ts";
import {
  MAX_BODY_BYTES,
  MAX_PREVIEW_DESCRIPTION_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS_PER_LINK,
  MAX_TITLE_CHARS,
  MAX_URL_CHARS,
} from "../../src/limits.ts";
import { MAX_BODY_VALUES, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES } from "../../src/http/limits.ts";
import { MAX_BULK_LINKS, MAX_RULE_VALUES, MAX_RULES_PER_LINK } from "../../src/links/limits.ts";
import { MAX_APP_ASSOCIATION_BYTES } from "../../src/domains/limits.ts";
import { MAX_QR_LOGO_BYTES } from "../../src/qr/limits.ts";

// The largest request bodies that are accepted, with the content that takes the most work.

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);

/** A tag that all links of the largest size have, for the filters of webhooks. */
export const HEAVY_TAG = "heavy";

/** Bytes and values that are left for the rest of the request. */
const SPARE_BYTES = 100;
const SPARE_VALUES = 20;
const VALUES_PER_RULE = 4;
const CONDITIONS_PER_RULE = 3;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Letters without repetition, so that the search index gets as many terms as possible. */
export function randomText(chars: number): string {
  let text = "";
  while (text.length < chars) text += Math.random().toString(36).slice(2);
  return text.slice(0, chars);
}

/** International hosts must be converted to Punycode. */
const urlOf = (chars: number) => `https://bücher.example/${randomText(Math.max(chars - 60, 1))}`;

function rulesWith(valuesEach: number) {
  const take = <T>(make: (n: number) => T) => Array.from({ length: valuesEach }, (_, n) => make(n));
  return Array.from({ length: MAX_RULES_PER_LINK }, (_, rule) => ({
    countries: take((n) => COUNTRIES[(rule + n) % COUNTRIES.length]),
    languages: take((n) => `de-latn-${COUNTRIES[(rule + n) % COUNTRIES.length]?.toLowerCase()}`),
    referrers: take((n) => `ü${n}.example`),
    url: "https://bücher.example/",
  }));
}

/** A link with the most rules, tags and text that fit. `fields` are added. */
export function largestLink(fields: object = {}, bytes = MAX_BODY_BYTES, values = MAX_BODY_VALUES): object {
  const link = {
    ...fields,
    url: urlOf(1_000),
    title: randomText(MAX_TITLE_CHARS),
    tags: [HEAVY_TAG, ...Array.from({ length: MAX_TAGS_PER_LINK - 1 }, () => randomText(MAX_TAG_CHARS))],
    preview: { title: randomText(MAX_TITLE_CHARS), description: randomText(MAX_PREVIEW_DESCRIPTION_CHARS) },
    geo: Object.fromEntries(COUNTRIES.slice(0, 100).map((country) => [country, "https://bücher.example/"])),
    rules: [] as object[],
  };
  const free = values - SPARE_VALUES - link.tags.length - 100 - MAX_RULES_PER_LINK * (VALUES_PER_RULE + 1);
  let each = Math.min(MAX_RULE_VALUES, Math.floor(free / MAX_RULES_PER_LINK / CONDITIONS_PER_RULE));
  do link.rules = rulesWith(each--);
  while (bytesOf(link) > bytes - SPARE_BYTES);
  const left = Math.min(MAX_URL_CHARS, bytes - SPARE_BYTES - bytesOf(link) + link.url.length);
  return { ...link, url: urlOf(left) };
}

/** The largest body of a bulk creation. */
export function largestBulk(fieldsOf: (n: number) => object = () => ({})): string {
  const bytes = Math.floor(MAX_BULK_BODY_BYTES / MAX_BULK_LINKS) - SPARE_BYTES;
  const values = Math.floor(MAX_BULK_BODY_VALUES / MAX_BULK_LINKS) - SPARE_VALUES;
  const links = Array.from({ length: MAX_BULK_LINKS }, (_, n) => largestLink(fieldsOf(n), bytes, values));
  return JSON.stringify({ links });
}

/** A bulk creation in which nearly every value is an error. */
export function invalidBulk(): string {
  const values = Math.floor(MAX_BULK_BODY_VALUES / MAX_BULK_LINKS) - SPARE_VALUES;
  const geo = Object.fromEntries(Array.from({ length: values }, (_, n) => [`X${n}`, "no URL"]));
  return JSON.stringify({ links: Array.from({ length: MAX_BULK_LINKS }, () => ({ url: "no URL", geo })) });
}

/** The two files that link apps to a domain, together of nearly the size of a body. */
export function largestAppFiles(): object {
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
  const fill = <T>(make: (n: number) => T): T[] =>
    Array.from({ length: Math.floor((0.9 * MAX_APP_ASSOCIATION_BYTES) / bytesOf(make(100))) }, (_, n) => make(n));
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
  const onePixel = {
    start: [Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", Buffer.from("00000001000000010100000000", "hex"))],
    end: [chunk("IDAT", Buffer.from("789c63000000020001", "hex")), chunk("IEND", Buffer.alloc(0))],
  };
  const bytesOfChunks = (chunks: Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0);
  const left = MAX_QR_LOGO_BYTES - bytesOfChunks([...onePixel.start, chunk("tEXt", Buffer.alloc(0)), ...onePixel.end]);
  const png = Buffer.concat([...onePixel.start, chunk("tEXt", Buffer.alloc(left, 1)), ...onePixel.end]);
  return `data:image/png;base64,${png.toString("base64")}`;
}
