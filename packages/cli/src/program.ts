import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addApi } from "./commands/api.ts";
import { addClicks } from "./commands/clicks.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDomains } from "./commands/domains.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addKeys } from "./commands/keys.ts";
import { addLinks } from "./commands/links.ts";
import { addListen } from "./commands/listen.ts";
import { addLogin } from "./commands/login.ts";
import { addQr } from "./commands/qr.ts";
import { addShorten } from "./commands/shorten.ts";
import { addTrigger } from "./commands/trigger.ts";
import { addWebhooks } from "./commands/webhooks.ts";
import { addWhoami } from "./commands/whoami.ts";
import { addExamples } from "./options.ts";

const EXIT_CODES = `
Exit codes: 0 done, 1 refused, failed or cancelled, 2 wrong use.
Environment: TERN_API_KEY and TERN_BASE_URL win over the logins; NO_COLOR turns colours off; TERN_DEBUG=1 shows where
errors come from.`;

/** All commands, in the order of the help. */
const COMMANDS = [
  addLogin,
  addWhoami,
  addShorten,
  addLinks,
  addClicks,
  addQr,
  addDomains,
  addKeys,
  addWebhooks,
  addListen,
  addTrigger,
  addImport,
  addExport,
  addApi,
  addCompletion,
];

/**
 * The command `tern` with all its commands. Wrong use throws a CommanderError and prints nothing, except the help where a
 * command is missing, without `isJson`.
 */
export function createProgram(isJson = false): Command {
  const program = new Command("tern")
    .description("Short links from the command line.")
    .version(readVersion())
    .option("--json", "print the result as JSON")
    .option("--as <name>", "use the login of this name")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined, ...(isJson && { writeErr: () => undefined }) })
    .exitOverride();
  for (const add of COMMANDS) add(program);
  addExamples(program, [
    "tern login --url https://go.example",
    "tern shorten https://example.com/a/long/address",
    "tern links list --sort clicks --limit 10",
    "tern listen --forward-to http://127.0.0.1:3000",
  ]);
  return program.addHelpText("after", EXIT_CODES);
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}
