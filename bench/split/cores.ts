import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Lets all threads of a process run on this core alone. Needs Linux with `taskset` (a part of util-linux). */
export function pin(pid: number | undefined, core: number): void {
  if (pid === undefined) throw new Error("the process has not started");
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}

/** A process that does nothing but keep this core busy, until it is killed. */
export async function burn(core: number): Promise<ChildProcess> {
  const burner = spawn("taskset", ["--cpu-list", String(core), process.execPath, "--eval", "for (;;);"]);
  await once(burner, "spawn");
  return burner;
}
