/** The object's methods are those of its class in `src/objects.ts`. */
export type JobRunnerStub = ReturnType<Env["JOB_RUNNER"]["getByName"]>;

/** The JobRunner of an account. */
export function jobRunnerOf(env: Env, accountId: number): JobRunnerStub {
  return env.JOB_RUNNER.getByName(`account:${accountId}`);
}

/** Ends the jobs of an account and deletes what is stored of them. Idempotent. */
export async function deleteJobs(env: Env, accountId: number): Promise<void> {
  await jobRunnerOf(env, accountId).deleteAll();
}
