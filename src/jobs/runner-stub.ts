import { LANES, type Lane } from "./lane.ts";

/** The object's methods are those of its class in `src/objects.ts`. */
export type JobRunnerStub = ReturnType<Env["JOB_RUNNER"]["getByName"]>;

/** The JobRunner of a lane of an account. */
export function jobRunnerOf(env: Env, accountId: number, lane: Lane["name"]): JobRunnerStub {
  return env.JOB_RUNNER.getByName(`${lane}:${accountId}`);
}

/** Ends all jobs of an account and deletes what is stored of them. Idempotent. */
export async function deleteJobs(env: Env, accountId: number): Promise<void> {
  for (const lane of LANES) await jobRunnerOf(env, accountId, lane).deleteAll();
}
