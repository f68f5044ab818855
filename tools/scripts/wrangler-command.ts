import { announce } from "./announce.ts";
import { readTarget } from "./backup/target.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { installationOptions } from "./deployment-config.ts";
import { optionValue } from "./options.ts";
import { runWrangler, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run wrangler -- COMMAND [--env NAME] [OPTIONS of the command]

Runs a command of wrangler, such as rollback or tail, for the deployed service with the settings of deploy.toml.
npx wrangler knows only wrangler.toml, so it can miss another name, database or environment.
  --env NAME  the environment [env.NAME] of deploy.toml or wrangler.toml`;

/** `npm run wrangler`. */
export async function passOn(args: string[], run: Wrangler = wrangler): Promise<void> {
  if (args.length === 0) throw new Failure(USAGE, WRONG_USAGE);
  const env = optionValue(args, "--env", "-e");
  announce(readTarget({ remote: true, ...(env !== undefined && { env }) }));
  await runWrangler(run, [...args, ...installationOptions(undefined)]);
}

if (import.meta.main) await runCommand(passOn);
