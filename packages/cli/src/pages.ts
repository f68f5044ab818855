import type { PageQuery } from "@tern/sdk";
import type { Command } from "commander";
import { positiveNumber } from "./options.ts";
import { note } from "./output/terminal.ts";

const DEFAULT_ROWS = 50;
/** The largest page of the API. */
export const PAGE_ROWS = 100;

export interface ListOptions {
  limit?: number;
  all?: boolean;
}

export function addListOptions(command: Command): Command {
  return command
    .option("--limit <number>", `how many to show (default: ${DEFAULT_ROWS})`, positiveNumber)
    .option("--all", "show all of them");
}

/** Reads as many items of a list as were asked for. Says on stderr if there are more. */
export async function readList<Item>(
  list: (page: Required<Pick<PageQuery, "limit">>) => AsyncIterable<Item>,
  { limit, all }: ListOptions,
): Promise<Item[]> {
  const wanted = all === true ? Infinity : (limit ?? DEFAULT_ROWS);
  const items: Item[] = [];
  // One more shows whether there are more.
  for await (const item of list({ limit: Math.min(wanted + 1, PAGE_ROWS) })) {
    if (items.length >= wanted) {
      note(`There are more than ${wanted}: use --limit or --all.`);
      break;
    }
    items.push(item);
  }
  return items;
}
