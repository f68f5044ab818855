import { existsSync, statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
/** More than the largest databases of tests and benchmarks need. */
const BYTES = 4 * 1_024 ** 3;

/** A folder for temporary files that is in memory, or null: there is none, or it has too little space. */
export function memoryStorage(): string | null {
  if (!existsSync(MEMORY)) return null;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > BYTES ? MEMORY : null;
}
