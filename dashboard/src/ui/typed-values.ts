import { fitting, isSame, type Choice } from "./choices.ts";

/** What a text with commas or lines contains. */
export interface TypedValues {
  added: string[];
  /** The parts that are no values, again with commas. */
  rest: string;
}

function partsOf(typed: string): string[] {
  return typed
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function sort(parts: readonly string[], values: readonly (string | null)[]): TypedValues {
  return {
    added: values.filter((value) => value !== null),
    rest: parts.filter((_, index) => values[index] === null).join(", "),
  };
}

/** The values in the text: labels of choices, or what `parse` makes a value of. */
export function parseTyped(
  typed: string,
  choices: readonly Choice[],
  parse: (text: string) => string | null,
): TypedValues {
  const parts = partsOf(typed);
  return sort(
    parts,
    parts.map((part) => choices.find((choice) => isSame(choice, part))?.value ?? parse(part)),
  );
}

/** As {@link parseTyped}, of choices that are read. A part is a new value only if no choice fits it. */
export async function readTyped(
  typed: string,
  read: (text: string) => Promise<readonly Choice[]>,
): Promise<TypedValues> {
  const parts = partsOf(typed);
  const values = parts.map(async (part) => {
    const [best] = fitting(await read(part), part);
    return best === undefined ? part : isSame(best, part) ? best.value : null;
  });
  return sort(
    parts,
    // What could not be read may be a value or not.
    (await Promise.allSettled(values)).map((result) => (result.status === "fulfilled" ? result.value : null)),
  );
}
