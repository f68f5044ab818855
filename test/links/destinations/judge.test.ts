import { expect, it } from "vitest";
import { nextFindings, type Findings } from "../../../src/links/destinations/judge.ts";
import type { Visit } from "../../../src/links/destinations/visit.ts";

function after(status: number, failure: Visit["failure"] = null): Findings {
  const visit: Visit = { finalUrl: "https://example.com/", status, failure, title: null, image: null, icon: null };
  let found: Findings | null = null;
  for (let now = 1; now <= 3; now++) found = nextFindings(found, visit, now);
  return found as Findings;
}

it.each([600, 999])("the status %i, which HTTP does not have, says nothing of the page", (status) => {
  for (const failure of [null, "robots"] as const)
    expect(after(status, failure)).toMatchObject({ outcome: "unknown", failures: 0, brokenSince: null });
});

it.each([404, 410, 500, 503, 599])("the status %i three times in a row is of a broken page", (status) => {
  expect(after(status)).toMatchObject({ outcome: "failing", brokenSince: 3 });
});
