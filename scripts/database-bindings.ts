import { Failure, WRONG_USAGE } from "./command.ts";
import { optionValue } from "./options.ts";

/** The option of `npm start` and `npm run deploy`: how many databases there are (docs/adr/0042-several-databases.md). */
export const DATABASES = "--databases";

/** The value of {@link DATABASES}; undefined: it is not given. */
export function askedCount(args: readonly string[], max: number): number | undefined {
  if (!args.some((arg) => arg === DATABASES || arg.startsWith(`${DATABASES}=`))) return undefined;
  const count = Number(optionValue(args, DATABASES));
  if (isCount(count, max)) return count;
  throw new Failure(`${DATABASES} must be a number from 1 to ${max}.`, WRONG_USAGE);
}

export function isCount(count: unknown, max: number): count is number {
  return typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= max;
}

/** The binding of the database with this number, from 0 on. */
export function bindingOf(number: number): string {
  return number === 0 ? "DB" : `DB_${number + 1}`;
}

/** How many databases a Worker with these bindings uses (src/database/databases.ts). */
export function countDatabases(databases: readonly { binding?: unknown }[]): number {
  let count = 0;
  while (databases.some(({ binding }) => binding === bindingOf(count))) count++;
  return count;
}

/** A database in a configuration. */
export type Listed = {
  binding: string;
  database_name?: string;
};

/** The databases with those that `count` of them need in addition, which are named after the first one. */
export function withFurther<T extends Listed>(databases: readonly T[], count: number): (T | Listed)[] {
  const first = databases.find(({ binding }) => binding === bindingOf(0));
  const further = Array.from({ length: count - 1 }, (_, n) => ({
    binding: bindingOf(n + 1),
    database_name: `${first?.database_name}-${n + 2}`,
  }));
  return [...databases, ...further.filter(({ binding }) => !databases.some((listed) => listed.binding === binding))];
}
