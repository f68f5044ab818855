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

const WCAG_2_2_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rule of axe-core that depends on the theme. */
export const CONTRAST = ["color-contrast"];

/** Returns what axe-core finds in the dialog that is open, or on the page, against these rules or groups of rules, a line for each element. */
export async function findBarriers(page: Page, runOnly = WCAG_2_2_AA): Promise<string[]> {
  // Without animations, which have intermediate colours. Those that never end are cancelled. The end of a transition can
  // begin another one, of an element that inherits the colour.
  await page.evaluate(async () => {
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Infinity;
    for (;;) {
      // Those that follow a scroll position end with it.
      const running = document
        .getAnimations()
        .filter(({ playState, timeline }) => playState === "running" && timeline === document.timeline);
      if (running.length === 0) break;
      for (const animation of running.filter(isEndless)) animation.cancel();
      const ending = running.filter((animation) => !isEndless(animation));
      await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)));
    }
  });
  // Runs in the page's main world, outside of its policy.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: AxeViolation[] }> };
    };
    // The bars of a narrow window cover a part of what scrolls below them, which would depend on the place of the page.
    const bars = [...document.querySelectorAll<HTMLElement>("header, nav")].filter((element) =>
      /fixed|sticky/.test(getComputedStyle(element).position),
    );
    for (const { style } of bars) style.position = "static";
    // Menus and tooltips are beside the landmarks.
    const rules = { region: { enabled: false } };
    // What lies behind a dialog is inert.
    const dialog = [...document.querySelectorAll("[role=dialog][aria-modal=true], dialog:modal")].at(-1);
    const { violations } = await axe.run(dialog ?? document, { runOnly, rules, resultTypes: ["violations"] });
    for (const { style } of bars) style.position = "";
    return violations;
  }, runOnly);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}
