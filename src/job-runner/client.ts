import type { JobRunner } from "../background/objects.ts";

/** The JobRunner of an account. */
export function jobRunnerOf(env: Env, accountId: number): DurableObjectStub<JobRunner> {
  return env.JOB_RUNNER.getByName(`account:${accountId}`);
}

/** Ends the jobs of an account and deletes what is stored of them. Idempotent. */
export async function deleteJobs(env: Env, accountId: number): Promise<void> {
  await jobRunnerOf(env, accountId).deleteAll();
}
