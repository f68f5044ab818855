import { parseArgs } from "node:util";
import { WRONG_USAGE, Failure } from "../command.ts";
import { DEFAULT_STATE_DIRECTORY } from "../local-database.ts";
import { environmentOf } from "../options.ts";

/** The installation that a command is for. */
export interface Target {
  remote: boolean;
  /** Where `wrangler dev` keeps its state; of no use with `remote`. */
  stateDirectory: string;
  /** The environment in deploy.toml or wrangler.toml; undefined: the top level. */
  environment: string | undefined;
}

/** The options of a {@link Target}, for `parseArgs`. */
export const TARGET_OPTIONS = {
  remote: { type: "boolean" },
  "persist-to": { type: "string" },
  env: { type: "string", short: "e" },
} as const;

export const TARGET_USAGE = `  --remote          the deployed service instead of the local one
  --persist-to DIR  the state of npm start -- --persist-to DIR
  --env NAME        the environment [env.NAME] of deploy.toml, or on this machine of wrangler.toml`;

interface TargetValues {
  remote?: boolean;
  "persist-to"?: string;
  env?: string;
}

export function readTarget({ remote = false, "persist-to": stateDirectory, env }: TargetValues): Target {
  if (remote && stateDirectory !== undefined)
    throw new Failure("--remote and --persist-to cannot be combined.", WRONG_USAGE);
  return {
    remote,
    stateDirectory: stateDirectory ?? DEFAULT_STATE_DIRECTORY,
    environment: environmentOf(env === undefined ? [] : [`--env=${env}`]),
  };
}

/** Reads the arguments of a command that has no other options. */
export function readOnlyTarget(args: string[], usage: string): Target {
  try {
    return readTarget(parseArgs({ args, options: TARGET_OPTIONS }).values);
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${usage}`, WRONG_USAGE);
  }
}

/** The target's options for another command. */
export function targetArguments({ remote, stateDirectory, environment }: Target): string {
  return [
    ...(remote ? ["--remote"] : stateDirectory === DEFAULT_STATE_DIRECTORY ? [] : [`--persist-to ${stateDirectory}`]),
    ...(environment === undefined ? [] : [`--env ${environment}`]),
  ]
    .map((option) => ` ${option}`)
    .join("");
}
