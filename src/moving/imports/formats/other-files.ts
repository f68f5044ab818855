import { FileError } from "./file.ts";

// Files of other kinds than CSV and JSON, by their first bytes.

/** The first bytes of a file as characters, and what the file is. */
const SIGNATURES = [
  ["PK\u{5}\u{6}", "file_is_archive"],
  ["PK\u{7}\u{8}", "file_is_archive"],
  ["\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "file_is_workbook"],
  ["\u{1F}\u{8B}", "file_is_compressed"],
  ["BZh", "file_is_compressed"],
  ["\u{FD}7zXZ\0", "file_is_compressed"],
  ["\u{28}\u{B5}\u{2F}\u{FD}", "file_is_compressed"],
  ["7z\u{BC}\u{AF}\u{27}\u{1C}", "file_is_compressed"],
  ["Rar!\u{1A}\u{7}", "file_is_compressed"],
  ["%PDF-", "file_is_pdf"],
] as const;

/** The first entries of the ZIP archives that are workbooks: of Excel, of LibreOffice, and of Numbers. */
const WORKBOOK_ENTRY = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetype|Index\/|preview[.-])/;

/** An entry of a ZIP archive: its signature, the offset of the length of its name, and that of the name. */
const ZIP_ENTRY = { start: "PK\u{3}\u{4}", lengthAt: 26, nameAt: 30 } as const;

const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body|table)\b/i;

/** @throws {FileError} The file is of another kind than CSV and JSON. */
export function refuseOtherFile(head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 512));
  if (text.startsWith(ZIP_ENTRY.start))
    throw new FileError(WORKBOOK_ENTRY.test(firstEntry(text)) ? "file_is_workbook" : "file_is_archive");
  const found = SIGNATURES.find(([start]) => text.startsWith(start));
  if (found !== undefined) throw new FileError(found[1]);
  if (WEB_PAGE.test(text)) throw new FileError("file_is_web_page");
}

function firstEntry(text: string): string {
  const { lengthAt, nameAt } = ZIP_ENTRY;
  const length = (text.charCodeAt(lengthAt) || 0) + 256 * (text.charCodeAt(lengthAt + 1) || 0);
  return text.slice(nameAt, nameAt + length);
}
