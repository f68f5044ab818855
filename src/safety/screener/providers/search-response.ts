import { PbfReader } from "pbf";
import type { VerdictReason } from "../../verdict.ts";

// The answer of Safe Browsing v5 to `hashes:search`, a protocol buffer (google/security/safebrowsing/v5/safebrowsing.proto).

/** A hash on one of the lists. */
export interface FullHash {
  /** SHA-256, one character a byte. */
  hash: string;
  /** What is wrong with it. Empty: nothing that holds for a page that a browser opens. */
  reasons: VerdictReason[];
}

/** By the number of `ThreatType`. */
const REASONS: Readonly<Record<number, VerdictReason>> = { 1: "malware", 2: "phishing", 3: "malware", 4: "malware" };

/**
 * The hashes that were found, and for how long they may be kept, in milliseconds. A detail that holds for tests (CANARY) or
 * frames (FRAME_ONLY) only, or that has a type or an attribute which is unknown, is ignored, as the documentation demands. Throws
 * if it is no such answer.
 */
export function readSearchResponse(bytes: Uint8Array): { hashes: FullHash[]; cacheMs: number } {
  const hashes: FullHash[] = [];
  let seconds: number | null = null;
  new PbfReader(bytes).readFields((field, _, reader) => {
    if (field === 1) hashes.push(reader.readMessage(readFullHash, { hash: "", reasons: [] }));
    if (field === 2) seconds = reader.readMessage(readSeconds, { value: 0 }).value;
  }, null);
  if (seconds === null) throw new Error("the answer of the provider has another form");
  return { hashes, cacheMs: 1_000 * seconds };
}

function readFullHash(field: number, into: FullHash, reader: PbfReader): void {
  if (field === 1) into.hash = String.fromCharCode(...reader.readBytes());
  if (field === 2) {
    const { type, attributes } = reader.readMessage(readDetail, { type: 0, attributes: [] });
    const reason = REASONS[type];
    // The known attributes say that it is not for pages.
    if (reason !== undefined && attributes.length === 0) into.reasons.push(reason);
  }
}

function readDetail(field: number, into: { type: number; attributes: number[] }, reader: PbfReader): void {
  if (field === 1) into.type = reader.readVarint();
  if (field === 2) reader.readPackedVarint(into.attributes);
}

function readSeconds(field: number, into: { value: number }, reader: PbfReader): void {
  if (field === 1) into.value = reader.readVarint();
}
