import { BaseSequencer, type TestSpecification } from "vitest/node";

const LONGEST = /\/browser\/dashboard\/layout\.test\.ts$/;

/**
 * Begins with the file that takes longest, for which one process would work alone at the end. In a new clone vitest knows no
 * times, and begins with the largest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}
