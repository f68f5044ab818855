/** What programs write for nothing, in any column: databases, query tools, and spreadsheets. */
const NOTHING = /^\s*(?:NULL|null|\\N|\((?:null|NULL)\)|\[(?:null|NULL)\]|<(?:null|NULL)>|#N\/A)\s*$/;
const MAX_NOTHING_CHARS = 16;

/** Whether an unquoted cell of a CSV file says that it is empty. In quotation marks the same word is a text. */
export function isNothing(cell: string): boolean {
  return cell.length >= 2 && cell.length <= MAX_NOTHING_CHARS && NOTHING.test(cell);
}
