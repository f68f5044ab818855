/** Shows the number of rows by table. */
export interface Progress {
  add(name: string, rows: number): void;
  end(): void;
}

/** Shows it on the standard error stream: in a terminal as a line that changes, otherwise as one line for each table. */
export function showProgress(verb: string): Progress {
  const counts = new Map<string, number>();
  let current: string | null = null;
  const line = () => `${verb} ${current}: ${counts.get(current ?? "")?.toLocaleString("en")} rows`;
  const end = () => {
    if (current !== null) process.stderr.write(process.stderr.isTTY ? "\n" : `${line()}\n`);
    current = null;
  };
  return {
    add(name, rows) {
      if (current !== name) end();
      current = name;
      counts.set(name, (counts.get(name) ?? 0) + rows);
      if (process.stderr.isTTY) process.stderr.write(`\r${line()}`);
    },
    end,
  };
}
