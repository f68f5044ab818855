import { FileError } from "./file.ts";

// Files of other kinds than CSV and JSON, by their first bytes.

const UNPACK = "Unpack it, and upload the CSV or JSON file in it.";
const SAVE_AS_CSV = 'Save the sheet with the links as CSV (in Excel as "CSV UTF-8"), and upload that.';
const NO_LINKS_IN_STATISTICS = "The statistics workbook of Short.io has no links: export the links there as CSV.";

const WORKBOOK = `The file is a workbook, of Excel or a similar program. ${SAVE_AS_CSV} ${NO_LINKS_IN_STATISTICS}`;
const ARCHIVE = `The file is a ZIP archive. ${UNPACK}`;
const COMPRESSED = `The file is compressed. ${UNPACK}`;

/** The first bytes of a file as characters, and what to do with such a file. */
const SIGNATURES: readonly (readonly [start: string, message: string])[] = [
  ["PK\u{5}\u{6}", ARCHIVE],
  ["PK\u{7}\u{8}", ARCHIVE],
  ["\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", WORKBOOK],
  ["\u{1F}\u{8B}", COMPRESSED],
  ["BZh", COMPRESSED],
  ["\u{FD}7zXZ\0", COMPRESSED],
  ["\u{28}\u{B5}\u{2F}\u{FD}", COMPRESSED],
  ["7z\u{BC}\u{AF}\u{27}\u{1C}", COMPRESSED],
  ["Rar!\u{1A}\u{7}", COMPRESSED],
  [
    "%PDF-",
    "The file is a PDF, from which links cannot be read safely. Export the links as CSV or JSON at the old service, and upload that.",
  ],
];

/** The first entries of the ZIP archives that are workbooks: of Excel, of LibreOffice, and of Numbers. */
const WORKBOOK_ENTRY = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetype|Index\/|preview[.-])/;

/** An entry of a ZIP archive: its signature, the offset of the length of its name, and that of the name. */
const ZIP_ENTRY = { start: "PK\u{3}\u{4}", lengthAt: 26, nameAt: 30 } as const;

const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body|table)\b/i;

/** @throws {FileError} The file is of another kind than CSV and JSON. The message says what to do. */
export function refuseOtherFile(head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 512));
  if (text.startsWith(ZIP_ENTRY.start)) throw new FileError(WORKBOOK_ENTRY.test(firstEntry(text)) ? WORKBOOK : ARCHIVE);
  const found = SIGNATURES.find(([start]) => text.startsWith(start));
  if (found !== undefined) throw new FileError(found[1]);
  if (WEB_PAGE.test(text))
    throw new FileError(
      "The file is a web page. Export the links as CSV or JSON at the old service, and upload that file. A table of a web page can be saved as CSV in a spreadsheet.",
    );
}

function firstEntry(text: string): string {
  const { lengthAt, nameAt } = ZIP_ENTRY;
  const length = (text.charCodeAt(lengthAt) || 0) + 256 * (text.charCodeAt(lengthAt + 1) || 0);
  return text.slice(nameAt, nameAt + length);
}
