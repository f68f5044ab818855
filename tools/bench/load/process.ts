import { readdirSync, readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

/** Process id of the runtime that this process started. */
export function findRuntime(): number {
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const pid = Number(name);
    const fields = statOf(pid);
    if (fields?.name === "workerd" && fields.parent === process.pid) return pid;
  }
  throw new Error("workerd is not running; the benchmark reads its CPU time from /proc, so it needs Linux");
}

/** User and system time of the process so far. */
export function cpuMicroseconds(pid: number): number {
  const fields = statOf(pid);
  if (fields === null) throw new Error("workerd has ended");
  return fields.ticks * TICK_MICROSECONDS;
}

function statOf(pid: number): { name: string; parent: number; ticks: number } | null {
  try {
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    // The fields of proc(5), from the third (the state): 4 is the parent, 14 and 15 are the times.
    const field = (number: number) => Number(rest.split(" ")[number - 3]);
    return { name, parent: field(4), ticks: field(14) + field(15) };
  } catch {
    return null;
  }
}
