import { InvalidArgumentError, type Command } from "commander";

/** Adds examples to the help of a command. */
export function addExamples(command: Command, examples: string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`);
}

/** For options that can be repeated. */
export const collect = (value: string, former: string[] = []): string[] => [...former, value];

export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}

export function positiveNumber(value: string): number {
  const number = wholeNumber(value);
  if (number === 0) throw new InvalidArgumentError("It must be at least 1.");
  return number;
}

/** Returns the given options that have a value. */
export function pick<T extends object, K extends keyof T>(options: T, names: readonly K[]): Pick<T, K> {
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return Object.fromEntries(entries) as Pick<T, K>;
}
