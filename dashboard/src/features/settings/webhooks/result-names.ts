import { texts } from "#dashboard/texts/index.ts";

/** The result of an attempt in words. Without a response, the status is 0, and the text is one that the service chose. */
export function nameOfResult(status: number, statusText: string): string {
  const names: Readonly<Record<string, string>> = texts.webhooks.noAnswers;
  return (status === 0 ? names[statusText] : undefined) ?? statusText;
}
