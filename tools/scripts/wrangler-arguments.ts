import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Between this process and wrangler are a shell and perhaps processes of npm. */
const MAX_ANCESTORS = 5;

/** A process of wrangler with its arguments, such as `dev --port 8799`. */
interface WranglerProcess {
  id: number;
  args: string[];
}

/**
 * Returns the wrangler that runs this process as its build command. wrangler passes none of its arguments on, so they are
 * read from its command line. Returns undefined if the system does not show it.
 */
export function findWrangler(): WranglerProcess | undefined {
  let pid = process.ppid;
  for (let count = 0; count < MAX_ANCESTORS && pid > 1; count++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) return undefined;
    const script = ancestor.args.findIndex((arg) => /wrangler-dist[\\/]cli\.js$/.test(arg));
    if (script !== -1) return { id: pid, args: ancestor.args.slice(script + 1) };
    pid = ancestor.parent;
  }
  return undefined;
}

function readProcess(pid: number): { parent: number; args: string[] } | undefined {
  try {
    if (process.platform === "linux") {
      // The name of the program, in parentheses, may contain anything.
      const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return { parent: Number(parent), args: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1) };
    }
    const line = execFileSync("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
    const [parent, ...args] = line.trim().split(/\s+/);
    return { parent: Number(parent), args };
  } catch {
    return undefined;
  }
}
