import type { Batch, Result } from "./batch.ts";
import { type Condition, Parameters } from "./parameters.ts";

/** The result has a row if the condition holds at this place of the batch. */
export function addCheck(batch: Batch, condition: Condition): Result<unknown> {
  const parameters = new Parameters();
  return batch.add(`SELECT 1 WHERE ${condition(parameters)}`, parameters.values);
}
