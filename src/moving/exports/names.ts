import { crc32 } from "node:zlib";
import type { JobRecord } from "../../jobs/job.ts";
import { toRecords, type JobRecords } from "../../jobs/kind.ts";
import { NAME_BUCKETS } from "./limits.ts";

/** The list with the names of the files in an archive. Each record has those whose checksums have the same remainder. */
const NAMES = "names";

/** The names of the files in an archive, in lower case and without extensions. */
export class Names {
  readonly #records: JobRecords;
  /** The records that were read. */
  readonly #buckets = new Map<number, string[]>();

  constructor(records: JobRecords) {
    this.#records = records;
  }

  /** Returns a name that no other file has, also on systems that ignore case. */
  take(wanted: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}~${number}`;
      const taken = this.#bucketOf(name.toLowerCase());
      if (taken.includes(name.toLowerCase())) continue;
      taken.push(name.toLowerCase());
      return name;
    }
  }

  /** The records as they are to be stored. */
  toRecords(): JobRecord[] {
    return [...this.#buckets].flatMap(([bucket, names]) => toRecords(NAMES, bucket, names));
  }

  #bucketOf(name: string): string[] {
    const bucket = crc32(new TextEncoder().encode(name), 0) % NAME_BUCKETS;
    const read = this.#buckets.get(bucket) ?? ((this.#records.readItems(NAMES, bucket) ?? []) as string[]);
    this.#buckets.set(bucket, read);
    return read;
  }
}
