import { Failure, WRONG_USAGE } from "./command.ts";

/** Options of `wrangler dev` that are used often. With no others, wrangler is not loaded, which takes over a second. */
const COMMON = new Set(["config", "e", "env", "ip", "local-protocol", "persist-to", "port", "var"]);

/**
 * Throws if wrangler's command does not know one of the options. wrangler would print its whole help instead, and a
 * deployment would fail after it has created half of what it needs.
 */
export async function checkOptions(command: "deploy" | "dev", args: readonly string[]): Promise<void> {
  const options = args.filter((arg) => /^-{1,2}[a-z]/i.test(arg)).map((arg) => arg.split("=", 1).join());
  if (command === "dev" && options.every((option) => COMMON.has(toName(option)))) return;
  const { experimental_getWranglerCommands } = await import("wrangler");
  const { registry, globalFlags } = experimental_getWranglerCommands();
  const { definition } = registry.subtree.get(command) ?? {};
  if (definition?.type !== "command") throw new Error(`wrangler has no command ${command}`);
  const known = new Set(
    [globalFlags, definition.args ?? {}].flatMap((options) =>
      Object.entries(options).flatMap(([name, { alias = [] }]) => [name, alias].flat()),
    ),
  );
  const unknown = options.find((option) => !known.has(toName(option)) && !known.has(option.replace(/^--/, "")));
  if (unknown !== undefined) throw new Failure(`wrangler ${command} has no option ${unknown}.`, WRONG_USAGE);
}

/** Returns the option's name as wrangler defines it: `minify` for `--no-minify`, `persist-to` for `--persistTo`. */
function toName(option: string): string {
  const [name = ""] = option.replace(/^--?(no-)?/, "").split(".", 1);
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
