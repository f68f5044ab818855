// Reads options from arguments that may be passed on to wrangler: `--name value` and `--name=value`. An option may have
// several names, such as `--env` and `-e`.

/** Returns the option's last value, or undefined. */
export function optionValue(args: readonly string[], ...names: string[]): string | undefined {
  return optionValues(args, ...names).at(-1);
}

/** Returns all values of an option that may have several, also after one name: `--var A:1 B:2`. */
export function optionValues(args: readonly string[], ...names: string[]): string[] {
  const values: string[] = [];
  for (const [index, arg] of args.entries()) {
    const name = names.find((name) => arg.startsWith(`${name}=`));
    if (name !== undefined) values.push(arg.slice(name.length + 1));
    if (names.includes(arg)) values.push(...valuesFrom(args.slice(index + 1)));
  }
  return values;
}

function valuesFrom(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  return end === -1 ? args : args.slice(0, end);
}

/** Returns whether an option without a value is set. */
export function hasFlag(args: readonly string[], ...names: string[]): boolean {
  return args.some((arg) => names.includes(arg.replace(/=true$/, "")));
}

/** Returns the arguments without the option and its one value. */
export function withoutOption(args: readonly string[], ...names: string[]): string[] {
  const isOption = (arg: string) => names.some((name) => arg === name || arg.startsWith(`${name}=`));
  return args.filter((arg, index) => !isOption(arg) && !names.includes(args[index - 1] ?? ""));
}

/** Returns the environment of wrangler.toml that the arguments name, or undefined for its top level. */
export function environmentOf(args: readonly string[]): string | undefined {
  const name = optionValue(args, "--env", "-e") ?? process.env["CLOUDFLARE_ENV"];
  return name === "" ? undefined : name;
}

/** Returns the variables among the arguments. */
export function givenVariables(args: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    optionValues(args, "--var").map((variable) => {
      const nameEnd = variable.indexOf(":");
      return [variable.slice(0, nameEnd), variable.slice(nameEnd + 1)];
    }),
  );
}
