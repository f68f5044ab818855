import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

// What must not be in a page of the dashboard.

/** Returns a list that gets the page's errors, its violations of the policy, and its requests to other origins, as they happen. */
export function watchProblems(page: Page, ownOrigin: string): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // The browser logs every response of 4xx; the pages show them to people.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== ownOrigin) problems.push(`request to ${request.url()}`);
  });
  return problems;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns what axe-core finds against WCAG 2.2 AA, a line for each element. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Without animations, which have intermediate colours. Those that never end are cancelled.
  await page.evaluate(() => {
    const animations = document.getAnimations();
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Infinity;
    for (const animation of animations.filter(isEndless)) animation.cancel();
    return Promise.all(
      animations.filter((each) => !isEndless(each)).map((animation) => animation.finished.catch(() => undefined)),
    );
  });
  // Runs in the page's main world, outside of its policy.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: AxeViolation[] }> };
    };
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    // Menus and tooltips are beside the landmarks.
    return (await axe.run({ runOnly, rules: { region: { enabled: false } } })).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}
