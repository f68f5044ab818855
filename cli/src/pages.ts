import { note } from "./output/terminal.ts";
import { wholeNumber } from "./options.ts";
import type { Command } from "commander";

const DEFAULT_ROWS = 50;

export interface ListOptions {
  limit?: number;
  all?: boolean;
}

export function addListOptions(command: Command): Command {
  return command
    .option("--limit <number>", `how many to show (default: ${DEFAULT_ROWS})`, wholeNumber)
    .option("--all", "show all of them");
}

/** Reads as many items of a list as were asked for. Says on stderr if there are more. */
export async function readList<Item>(list: AsyncIterable<Item>, { limit, all }: ListOptions): Promise<Item[]> {
  const wanted = all === true ? Infinity : (limit ?? DEFAULT_ROWS);
  const items: Item[] = [];
  for await (const item of list) {
    if (items.length >= wanted) {
      note(`There are more than ${wanted}: use --limit or --all.`);
      break;
    }
    items.push(item);
  }
  return items;
}
