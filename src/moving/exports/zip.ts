// The ZIP format (PKWARE APPNOTE 6.3.10) for files that are written in portions. Without ZIP64: src/limits.ts keeps all sizes
// below 4 GB, and the number of entries below 65,536.

/** A file in a ZIP file. */
export interface ZipEntry {
  name: string;
  /** Of the bytes before compression. */
  crc: number;
  /** Bytes before compression. */
  size: number;
  /** Bytes after compression. */
  packedSize: number;
  /** Unix milliseconds. */
  modifiedAt: number;
}

/** What follows the last portion of an entry: an empty block that is marked as the last one (RFC 1951, 3.2.6). */
export const LAST_BLOCK = Uint8Array.of(3, 0);

/** Deflate, without extensions. */
const VERSION = 20;
/** Names are in UTF-8. */
const FLAGS = 0x0800;
const DEFLATED = 8;

/** What precedes the compressed bytes of an entry (4.3.7). */
export function localHeader(entry: ZipEntry): Uint8Array {
  const name = new TextEncoder().encode(entry.name);
  const record = new LittleEndian(30 + name.byteLength);
  return record.u32(0x04034b50).u16(VERSION).append(describe(entry, name)).u16(0).bytes(name);
}

/** The entry in the list at the end of the file, with the position of its header (4.3.12). */
export function directoryEntry(entry: ZipEntry, offset: number): Uint8Array {
  const name = new TextEncoder().encode(entry.name);
  return new LittleEndian(46 + name.byteLength)
    .u32(0x02014b50)
    .u16(VERSION)
    .u16(VERSION)
    .append(describe(entry, name))
    .u16(0)
    .u16(0)
    .u16(0)
    .u16(0)
    .u32(0)
    .u32(offset)
    .bytes(name);
}

/** What follows the list of the entries: their number, and the size and the position of the list (4.3.16). */
export function directoryEnd(entries: number, size: number, start: number): Uint8Array {
  return new LittleEndian(22)
    .u32(0x06054b50)
    .u16(0)
    .u16(0)
    .u16(entries)
    .u16(entries)
    .u32(size)
    .u32(start)
    .u16(0)
    .bytes(new Uint8Array());
}

/** The fields that both headers of an entry have. */
function describe({ crc, size, packedSize, modifiedAt }: ZipEntry, name: Uint8Array): Uint8Array {
  const { date, time } = toDosTime(modifiedAt);
  return new LittleEndian(22)
    .u16(FLAGS)
    .u16(DEFLATED)
    .u16(time)
    .u16(date)
    .u32(crc)
    .u32(packedSize)
    .u32(size)
    .u16(name.byteLength)
    .bytes(new Uint8Array());
}

/** In UTC. The format has no time zone, and a resolution of 2 seconds. */
function toDosTime(at: number): { date: number; time: number } {
  const moment = new Date(at);
  return {
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
  };
}

/** Writes numbers of a fixed length, the lowest byte first. */
class LittleEndian {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  u16(value: number): this {
    this.#view.setUint16(this.#position, value, true);
    this.#position += 2;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#position, value, true);
    this.#position += 4;
    return this;
  }

  append(bytes: Uint8Array): this {
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.byteLength;
    return this;
  }

  /** Appends the last bytes and returns all. */
  bytes(last: Uint8Array): Uint8Array {
    return this.append(last).#bytes;
  }
}
