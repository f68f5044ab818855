import { readFileSync, writeFileSync } from "node:fs";

/** Resident memory of a process in bytes, now and at its highest since {@link resetPeak}. Linux only. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1_024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Sets the peak to the present size: see proc(5), clear_refs. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
