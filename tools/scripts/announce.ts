import type { Target } from "./backup/target.ts";
import { Failure } from "./command.ts";
import { DEFAULT_STATE_DIRECTORY } from "./local-database.ts";
import { readSettings } from "./settings.ts";

/** Says which installation the command reads or changes, before it does. On stderr, so that the output stays what it is. */
export function announce(target: Target): void {
  console.error(describeTarget(target));
}

/** Says of the installation what is known without asking Cloudflare. */
function describeTarget(target: Target): string {
  const { remote, stateDirectory, environment } = target;
  const ofEnvironment = environment === undefined ? "" : `, environment ${environment}`;
  if (!remote) {
    const hint = stateDirectory === DEFAULT_STATE_DIRECTORY ? `. ${REMOTE_HINT}` : "";
    return `Local database in ${stateDirectory}${ofEnvironment}${hint}`;
  }
  const { name, database, vars } = readSettings(target);
  const { CLOUDFLARE_ACCOUNT_ID: account = "" } = process.env;
  const others = [vars["BASE_URL"] ?? "", account === "" ? "" : `Cloudflare account ${account}`];
  const named = [`Worker "${name}"`, `database "${database}"${ofEnvironment}`, ...others.filter((part) => part !== "")];
  return `Deployed service: ${named.join(", ")}`;
}

const REMOTE_HINT = "For the deployed service, add --remote.";

/** For arguments that name what the installation does not have. `problem` is a sentence without its full stop. */
export function missingIn({ remote }: Target, problem: string): Failure {
  return new Failure(remote ? `${problem}.` : `${problem} in the local database. ${REMOTE_HINT}`);
}
