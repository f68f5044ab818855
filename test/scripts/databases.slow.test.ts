import { expect, it } from "vitest";
import { prove, reportProof } from "../../bench/databases/prove.ts";

it("has in three databases what the model of `npm run databases` has, after each step", async () => {
  const proof = await prove({ links: 300, accounts: 3 });
  expect(proof.differences.first).toEqual([]);
  expect(reportProof(proof)).toContain("All is as in the model.");
});
