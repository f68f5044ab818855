import { describeError } from "../../platform/lib/log.ts";
import { HashCollector } from "./hash-set.ts";
import {
  LIST_TIMEOUT_MS,
  MAX_LIST_BYTES,
  MAX_LIST_ENTRIES,
  MAX_LIST_LINE_CHARS,
  MAX_UNREADABLE_SHARE,
  MIN_KEPT_SHARE,
} from "./limits.ts";
import { readLine, type ListFormat } from "./list-entry.ts";
import { siphash, type SipKey } from "./siphash.ts";

export type ListReading = { ok: true; hashes: Uint32Array<ArrayBuffer> } | { ok: false; fault: string };

/** Reads the list file at a URL. `lastEntries` is the number of hashes of the version in use. Never throws. */
export async function readList(
  { url, format }: { url: string; format: ListFormat },
  key: SipKey,
  lastEntries: number,
): Promise<ListReading> {
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Accept: "text/plain, */*;q=0.5" }, signal });
    if (response.status !== 200 || response.body === null) return fault(`the server answered ${response.status}`);
    const reader = new ListReader(format, key, lastEntries);
    const failure = await Promise.race([readBody(response.body, reader), rejectOnAbort(signal)]);
    return failure === null ? reader.finish() : fault(failure);
  } catch (error) {
    if (signal.aborted) return fault(`it took longer than ${LIST_TIMEOUT_MS / 1_000} seconds`);
    return fault(`it could not be read: ${describeError(error).error.replaceAll(/https?:\S+/gi, "…")}`);
  }
}

const fault = (text: string): ListReading => ({ ok: false, fault: text });

// Reading does not always end when the signal aborts.
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("timeout")), { once: true });
  });
}

/** Passes the lines to the reader. Returns why the file is refused, or null. */
async function readBody(body: ReadableStream<Uint8Array>, reader: ListReader): Promise<string | null> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_LIST_BYTES) return `it is larger than ${MAX_LIST_BYTES / 1_000_000} MB`;
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n");
    // A line without an end must not fill the memory.
    rest = text.slice(end + 1).slice(0, MAX_LIST_LINE_CHARS + 1);
    if (end === -1) continue;
    const failure = reader.addLines(text.slice(0, end));
    if (failure !== null) return failure;
  }
  return reader.addLines(rest + decoder.decode());
}

class ListReader {
  readonly #format: ListFormat;
  readonly #key: SipKey;
  readonly #lastEntries: number;
  readonly #hashes = new HashCollector();
  #lines = 0;
  #unreadable = 0;

  constructor(format: ListFormat, key: SipKey, lastEntries: number) {
    this.#format = format;
    this.#key = key;
    this.#lastEntries = lastEntries;
  }

  addLines(text: string): string | null {
    for (const line of text.split("\n")) this.#addLine(line);
    return this.#hashes.count > MAX_LIST_ENTRIES ? `it has more than ${MAX_LIST_ENTRIES} entries` : null;
  }

  #addLine(line: string): void {
    if (line === "") return;
    this.#lines++;
    const entries = line.length > MAX_LIST_LINE_CHARS ? null : readLine(line, this.#format);
    if (entries === null) this.#unreadable++;
    for (const text of entries ?? []) this.#hashes.add(siphash(this.#key, text));
  }

  finish(): ListReading {
    if (this.#unreadable > MAX_UNREADABLE_SHARE * this.#lines)
      return fault(`${this.#unreadable} of ${this.#lines} lines are no ${this.#format}`);
    const hashes = this.#hashes.finish();
    const entries = hashes.length / 2;
    if (entries === 0) return fault("it is empty");
    if (entries < MIN_KEPT_SHARE * this.#lastEntries)
      return fault(`it has ${entries} entries, less than half of the ${this.#lastEntries} that it had`);
    return { ok: true, hashes };
  }
}
