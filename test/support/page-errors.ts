import { vi } from "vitest";
import type * as PlainError from "../../dashboard/src/api/plain-error.ts";
import type { plainErrors as english } from "../../dashboard/src/texts/en/plain-errors.ts";
import { LANGUAGES } from "../../src/platform/languages.ts";

// The words of the pages for errors, in each language. Only for tests in Node.

export type Text = string | ((values: never) => string);
export interface PageTexts {
  plainErrors: typeof english;
  fieldFaults: Record<string, Text>;
  refusals: Record<string, Text>;
}

async function textsOf(language: string): Promise<PageTexts> {
  const modules = ["plain-errors", "field-faults", "refusals"].map(
    (name) => import(`../../dashboard/src/texts/${language}/${name}.ts`) as Promise<Partial<PageTexts>>,
  );
  return Object.assign({}, ...(await Promise.all(modules))) as PageTexts;
}

/** Read before the texts of another language are put in the place of the English ones. */
export const TEXTS = new Map(
  await Promise.all(Object.keys(LANGUAGES).map(async (language) => [language, await textsOf(language)] as const)),
);

/** The module of the pages with the texts of the language, as the build puts them in. */
export async function plainErrorIn(texts: PageTexts): Promise<typeof PlainError> {
  vi.resetModules();
  for (const [name, value] of Object.entries({ "plain-errors": texts, "field-faults": texts, refusals: texts }))
    vi.doMock(`../../dashboard/src/texts/en/${name}.ts`, () => value);
  return await import("../../dashboard/src/api/plain-error.ts");
}
