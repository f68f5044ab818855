import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { MAX_BODY_DEPTH } from "../../../limits.ts";
import { FileError, type FilePosition, type FileRow, type Pieces } from "./file.ts";
import { KeyNames } from "./key-names.ts";
import { IMPORT_HEAD_BYTES, MAX_IMPORT_ROW_BYTES } from "../limits.ts";

type Token = Parameters<TokenParser["write"]>[0];

const STRING_BUFFER_BYTES = 4_096;
const [OPENING, CLOSING] = [
  new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]),
  new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]),
];

/** Reads the objects of a JSON array from a position on, those of a piece at a time. What follows the array is not read. */
export function readArray(pieces: Pieces, from: FilePosition): AsyncGenerator<FileRow[]> {
  return readObjects(pieces, from, new ObjectReader(from, true));
}

/** Reads JSON objects that follow each other, such as JSON lines. */
export function readSequence(pieces: Pieces, from: FilePosition): AsyncGenerator<FileRow[]> {
  return readObjects(pieces, from, new ObjectReader(from, false));
}

async function* readObjects(pieces: Pieces, from: FilePosition, reader: ObjectReader): AsyncGenerator<FileRow[]> {
  for await (const piece of pieces) {
    for (let start = 0; start < piece.byteLength && !reader.isDone; start += IMPORT_HEAD_BYTES)
      reader.write(piece.subarray(start, start + IMPORT_HEAD_BYTES));
    yield reader.take();
    if (reader.isDone) return;
  }
  reader.end();
  yield reader.take();
}

class ObjectReader {
  isDone = false;
  readonly #isArray: boolean;
  readonly #tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER_BYTES });
  readonly #parser: TokenParser;
  /** The file's offset of the tokenizer's first byte. */
  readonly #base: number;
  readonly #keys = new KeyNames();
  #rows: FileRow[] = [];
  #line: number;
  #depth = 0;
  #written: number;
  /** Where the row began that is being read. */
  #rowStart: number;
  #value: unknown = undefined;

  constructor(from: FilePosition, isArray: boolean) {
    this.#isArray = isArray;
    this.#line = from.line;
    this.#written = this.#rowStart = from.offset;
    this.#base = isArray ? from.offset - 1 : from.offset;
    this.#parser = new TokenParser({ paths: [isArray ? "$.*" : "$"], keepStack: false, separator: "" });
    this.#parser.onValue = ({ value }) => (this.#value = value);
    this.#tokenizer.onToken = (token) => this.#onToken(token);
    // As if the array began here.
    if (isArray) this.#tokenizer.write("[");
  }

  write(bytes: Uint8Array): void {
    try {
      this.#tokenizer.write(bytes);
    } catch (error) {
      throw error instanceof FileError ? error : this.#invalid();
    }
    this.#written += bytes.byteLength;
    if (this.#written - this.#rowStart > MAX_IMPORT_ROW_BYTES + bytes.byteLength && !this.isDone)
      throw new FileError("file_object_too_long", { at: this.#line, max: MAX_IMPORT_ROW_BYTES });
  }

  end(): void {
    if (!this.#isArray && this.#depth === 0) return;
    throw new FileError("file_json_cut", { actual: this.#line - 1 });
  }

  take(): FileRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #onToken(token: Token & { offset: number }): void {
    if (this.isDone) return;
    if (OPENING.has(token.token) && ++this.#depth > MAX_BODY_DEPTH)
      throw new FileError("file_object_too_deep", { at: this.#line, max: MAX_BODY_DEPTH });
    this.#parser.write(this.#keys.rename(token));
    if (CLOSING.has(token.token)) this.#depth--;
    const end = this.#base + token.offset + 1;
    // The comma or bracket after a row is read with it, so that the next row follows the position.
    if (!this.#isArray && this.#depth === 0) this.#endRow(end);
    else if (this.#isArray && this.#depth === 1 && token.token === TokenType.COMMA) this.#endRow(end);
    else if (this.#isArray && this.#depth === 0) {
      this.#endRow(end - 1);
      this.isDone = true;
    }
  }

  #endRow(offset: number): void {
    const value = this.#value;
    const { repeated } = this.#keys;
    this.#keys.repeated = null;
    this.#value = undefined;
    this.#rowStart = offset;
    if (value === undefined) return;
    const line = this.#line++;
    const row = { line, value: isObject(value) ? value : {}, next: { offset, line: this.#line } };
    this.#rows.push(repeated === null ? row : { ...row, repeatedKey: repeated });
  }

  #invalid(): FileError {
    return new FileError("file_not_json", { at: this.#line });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The keys whose array holds the links, in the exports of services and in responses of APIs. */
const ARRAY_KEYS = new Set(["data", "items", "links", "results", "rows", "urls"]);

/**
 * Finds the array of a JSON file by its first bytes. Returns the offset of the byte after its opening bracket, and its key;
 * null if there is none.
 */
export function findArray(head: Uint8Array): { offset: number; key: string | null } | null {
  let found: { offset: number; key: string | null } | null = null;
  let [depth, isEnded] = [0, false];
  let last: Token | undefined;
  let key: string | null = null;
  const tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER_BYTES });
  tokenizer.onToken = (token) => {
    if (isEnded || found !== null) return;
    if (token.token === TokenType.COLON && depth === 1) key = String(last?.value);
    const isArray = token.token === TokenType.LEFT_BRACKET;
    if (isArray && depth === 0) found = { offset: token.offset + 1, key: null };
    if (isArray && depth === 1 && key !== null && ARRAY_KEYS.has(key)) found = { offset: token.offset + 1, key };
    if (OPENING.has(token.token)) depth++;
    if (CLOSING.has(token.token)) isEnded = --depth <= 0;
    last = token;
  };
  try {
    tokenizer.write(head);
  } catch {
    // The reader reports what is wrong.
  }
  return found;
}
