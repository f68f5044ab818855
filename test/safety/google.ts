import { PbfWriter } from "pbf";

/** A match of Safe Browsing: an expression, and what is wrong with it by the numbers of its threats and attributes. */
interface Match {
  expression: string;
  details: { type: number; attributes?: number[] }[];
}

/** What Safe Browsing answers to `hashes:search`, byte by byte. */
export async function searchResponse(matches: readonly Match[], cacheSeconds = 300): Promise<number[]> {
  const writer = new PbfWriter();
  for (const { expression, details } of matches) {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(expression)));
    writer.writeMessage(
      1,
      () => {
        writer.writeBytesField(1, hash);
        for (const { type, attributes = [] } of details)
          writer.writeMessage(
            2,
            () => {
              writer.writeVarintField(1, type);
              writer.writePackedVarint(2, attributes);
            },
            null,
          );
      },
      null,
    );
  }
  writer.writeMessage(2, () => writer.writeVarintField(1, cacheSeconds), null);
  return [...writer.finish()];
}

export const SAFE_BROWSING = "safebrowsing.googleapis.com";
export const WEB_RISK = "webrisk.googleapis.com";
