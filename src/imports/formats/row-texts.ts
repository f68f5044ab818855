const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Cuts the texts of rows out of a file that arrives in pieces. It keeps only the bytes from the next row on. */
export class RowTexts {
  #bytes: Uint8Array = new Uint8Array();
  /** Where {@link #bytes} begin in the file. */
  #start: number;

  constructor(offset: number) {
    this.#start = offset;
  }

  add(piece: Uint8Array): void {
    const bytes = new Uint8Array(this.#bytes.byteLength + piece.byteLength);
    bytes.set(this.#bytes);
    bytes.set(piece, this.#bytes.byteLength);
    this.#bytes = bytes;
  }

  /** The text from the last `end` to this one, an offset in the file. */
  takeUntil(end: number): string {
    const length = end - this.#start;
    const text = decoder.decode(this.#bytes.subarray(0, length));
    this.#bytes = this.#bytes.subarray(length);
    this.#start = end;
    return text;
  }
}
