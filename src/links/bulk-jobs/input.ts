import { open, seal } from "../../platform/lib/encryption.ts";
import type { ListFilter } from "../list-filter.ts";
import type { BulkChanges } from "./contract.ts";

/** What a bulk job does, as it is stored. */
export interface BulkInput {
  action: "update" | "delete" | "restore";
  /** The password is encrypted. Null for other actions. */
  changes: BulkChanges | null;
  /** Null: the job has a list of ids. */
  filter: ListFilter | null;
}

export function parseInput(input: string): BulkInput {
  return JSON.parse(input) as BulkInput;
}

const contextOf = (jobId: string) => `bulk job ${jobId}`;

/** The changes without their password in plain text. */
export async function sealPassword(keys: string, jobId: string, changes: BulkChanges): Promise<BulkChanges> {
  const { password } = changes;
  return password == null ? changes : { ...changes, password: await seal(keys, password, contextOf(jobId)) };
}

/** The changes as they were given to {@link sealPassword}. */
export async function openPassword(keys: string, jobId: string, changes: BulkChanges): Promise<BulkChanges> {
  const { password } = changes;
  return password == null ? changes : { ...changes, password: await open(keys, password, contextOf(jobId)) };
}
