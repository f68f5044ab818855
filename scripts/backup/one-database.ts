import { Failure } from "../command.ts";

/** Selects a row if accounts of the installation are in other databases than the core. */
export const SELECT_FURTHER = `SELECT 1 AS found FROM account_ranges WHERE database + spread > 1
  UNION ALL SELECT 1 FROM moved_accounts WHERE database > 0 LIMIT 1`;

/** `what` would leave out what is in the other databases. */
export function severalDatabases(what: string): Failure {
  return new Failure(
    `This installation has several databases, and ${what} reads only the first one. It cannot be used for several databases yet.`,
  );
}
