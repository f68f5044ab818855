// Reads options of wrangler from arguments that are passed on to it: `--name value` and `--name=value`.

/** Returns the option's last value, or undefined. */
export function optionValue(args: readonly string[], name: string): string | undefined {
  return optionValues(args, name).at(-1);
}

/** Returns all values of an option that may have several, also after one name: `--var A:1 B:2`. */
export function optionValues(args: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (const [index, arg] of args.entries()) {
    if (arg.startsWith(`${name}=`)) values.push(arg.slice(name.length + 1));
    if (arg === name) values.push(...valuesFrom(args.slice(index + 1)));
  }
  return values;
}

function valuesFrom(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  return end === -1 ? args : args.slice(0, end);
}

/** Returns the arguments without the option and its one value. */
export function withoutOption(args: readonly string[], name: string): string[] {
  return args.filter((arg, index) => arg !== name && !arg.startsWith(`${name}=`) && args[index - 1] !== name);
}
