import { Failure, WRONG_USAGE } from "./command.ts";
import { optionValue } from "./options.ts";

/** What wrangler says of an option. */
interface Definition {
  alias?: string | readonly string[] | undefined;
  choices?: readonly unknown[] | undefined;
  requiresArg?: boolean | undefined;
  type?: string | undefined;
}

/** Options of `wrangler dev` that are used often. With no others, wrangler is not loaded, which takes over a second. */
const COMMON = new Map<string, Definition>(
  ["config", "e", "env", "ip", "persist-to", "port", "var"].map((name) => [name, { requiresArg: true }]),
);

/**
 * Throws if wrangler's command does not take one of the options or its value. wrangler would print its whole help instead,
 * and a deployment would fail after it has created half of what it needs.
 */
export async function checkOptions(command: "deploy" | "dev", args: readonly string[]): Promise<void> {
  const options = args.filter((arg) => /^-{1,2}[a-z]/i.test(arg)).map((arg) => arg.split("=", 1).join());
  const areCommon = command === "dev" && options.every((option) => COMMON.has(toName(option)));
  const definitions = areCommon ? COMMON : await readDefinitions(command);
  for (const option of options) {
    const definition = definitions.get(toName(option)) ?? definitions.get(option.replace(/^--/, ""));
    if (definition === undefined)
      throw wrongUsage(
        `wrangler ${command} has no option ${option}. To see its options: npx wrangler ${command} --help`,
      );
    const { choices = [], requiresArg = false } = definition;
    const value = optionValue(args, option);
    if (requiresArg && value === undefined) throw wrongUsage(`${option} needs a value.`);
    if (choices.length > 0 && !choices.includes(value)) throw wrongUsage(`${option} must be ${choices.join(" or ")}.`);
  }
}

/** Returns the options of wrangler's command by their names and aliases. */
async function readDefinitions(command: string): Promise<Map<string, Definition>> {
  const { experimental_getWranglerCommands } = await import("wrangler");
  const { registry, globalFlags } = experimental_getWranglerCommands();
  const { definition } = registry.subtree.get(command) ?? {};
  if (definition?.type !== "command") throw new Error(`wrangler has no command ${command}`);
  const entries = Object.entries<Definition>({ ...globalFlags, ...definition.args });
  return new Map(entries.flatMap(([name, option]) => [name, option.alias ?? []].flat().map((each) => [each, option])));
}

/** Returns the option's name as wrangler defines it: `minify` for `--no-minify`, `persist-to` for `--persistTo`. */
function toName(option: string): string {
  const [name = ""] = option.replace(/^--?(no-)?/, "").split(".", 1);
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wrongUsage(message: string): Failure {
  return new Failure(message, WRONG_USAGE);
}
