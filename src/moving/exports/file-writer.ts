import type { JobRecord } from "../../jobs/job.ts";
import { FILE } from "../../jobs/kind.ts";
import { MAX_JOB_RECORD_BYTES } from "../../limits.ts";

/**
 * A part of a file that grows for itself, as far as it is written. What it is depends on the file: a table in a ZIP file; all
 * images of a ZIP file, or its directory; or a file that is one table.
 */
export interface Section {
  /** Its place in the file, from 1. */
  number: number;
  source: string;
  format: string;
  /** 1, and more if the records of a source are in several sections. */
  part: number;
  crc: number;
  /** Bytes before compression. */
  size: number;
  packedSize: number;
  pieces: number;
}

/**
 * Writes a page of a file that is stored in pieces. Those of a section follow each other, and so do the sections. So sections can
 * grow in turns. The pieces are stored with the result of the page, and the sections are part of the next one's position.
 */
export class FileWriter {
  readonly sections: Section[];
  readonly records: JobRecord[] = [];

  constructor(sections: readonly Section[]) {
    this.sections = sections.map((section) => ({ ...section }));
  }

  /** Bytes of the file that are stored, without headers and directories that are written at the end. */
  get storedBytes(): number {
    return this.sections.reduce((sum, { packedSize }) => sum + packedSize, 0);
  }

  /** The section with the number, which is empty if nothing was written to it yet. */
  open(number: number): Section {
    return this.sections.find((section) => section.number === number) ?? this.add({ number });
  }

  add(fields: Pick<Section, "number"> & Partial<Section>): Section {
    const section = { source: "", format: "", part: 1, crc: 0, size: 0, packedSize: 0, pieces: 0, ...fields };
    this.sections.push(section);
    return section;
  }

  /** Appends compressed bytes to a section. `crc` and `size` are those of all its bytes before compression. */
  append(section: Section, bytes: Uint8Array, { crc, size }: Pick<Section, "crc" | "size">): void {
    for (let start = 0; start < bytes.byteLength; start += MAX_JOB_RECORD_BYTES)
      this.#put(2 * section.number + 1, section.pieces++, bytes.subarray(start, start + MAX_JOB_RECORD_BYTES));
    Object.assign(section, { crc, size, packedSize: section.packedSize + bytes.byteLength });
  }

  /** Writes what precedes the section with the number. A file may end with it. */
  writeHeader(number: number, bytes: Uint8Array): void {
    this.#put(2 * number, 0, bytes);
  }

  #put(number: number, part: number, value: Uint8Array): void {
    this.records.push({ list: FILE, number, part, value });
  }
}
