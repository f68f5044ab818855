import { OPENED_DATABASES } from "../../src/database/account-ranges.ts";
import { Failure } from "../command.ts";
import { SETTINGS_FILE } from "../deployment-config.ts";
import type { Installation } from "./installation.ts";

/** Throws if accounts are in databases that the command does not know of. */
export async function checkBindings(installation: Installation): Promise<void> {
  const sql = `SELECT ${OPENED_DATABASES} AS opened`;
  const [[row] = []] = await installation.database([{ sql, values: [] }]);
  const opened = Number(row?.["opened"]);
  if (opened <= installation.databases) return;
  throw new Failure(
    `The installation has ${opened} databases, and its settings name ${installation.databases}.\n` +
      `Write databases = ${opened} into ${SETTINGS_FILE}.`,
  );
}
