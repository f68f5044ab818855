import { parseStored, readChoices, readStored, store, useStored } from "../../lib/storage.ts";

export const CHOSEN_COLUMNS = ["tags", "clicks", "lastClickedAt", "createdBy", "createdAt"] as const;
export type Column = (typeof CHOSEN_COLUMNS)[number];

/** How this browser shows the list of links. */
export interface Display {
  density: "comfortable" | "compact";
  columns: readonly Column[];
}

const NAME = "links-display";
const DEFAULT: Display = { density: "comfortable", columns: ["tags", "clicks", "createdAt"] };

let parsed: { text: string | null; display: Display } = { text: null, display: DEFAULT };

export function useDisplay(): Display {
  return parse(useStored(NAME));
}

export function changeDisplay(changes: Partial<Display>): void {
  store(NAME, JSON.stringify({ ...parse(readStored(NAME)), ...changes }));
}

/** Returns the same object for the same text, so that rows are not rendered again. */
function parse(text: string | null): Display {
  if (text !== parsed.text) parsed = { text, display: text === null ? DEFAULT : read(text) };
  return parsed.display;
}

function read(text: string): Display {
  const { density, columns } = parseStored(text);
  return {
    density: density === "compact" ? "compact" : "comfortable",
    columns: readChoices(columns, CHOSEN_COLUMNS, DEFAULT.columns),
  };
}
