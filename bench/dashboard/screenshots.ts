import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContext } from "playwright-core";
import { Failure, runCommand } from "../../scripts/command.ts";
import { launchBrowser, VISITOR } from "../../test/browser/support/browser.ts";
import { findBarriers, watchProblems } from "../../test/browser/support/checks.ts";
import { startDashboardService } from "../../test/browser/support/dashboard-service.ts";
import { signUpWithData } from "./person.ts";

const USAGE = `Usage: npm run screenshots -- [FOLDER]

Takes a picture of each screen at three widths, light and dark, into the folder (without it, .wrangler/screenshots). Fails
and lists what it finds if a screen has a barrier (axe-core, WCAG 2.2 AA), an error, a violation of the Content Security
Policy, or a request to another origin.`;

const WIDTHS = [1440, 768, 390];
const HEIGHT = 900;
/** How long a screen may take to load what it shows. */
const SETTLED_MS = 700;

const OPEN_SCREENS = {
  home: "/",
  docs: "/docs#createLink",
  "sign-in": "/app/sign-in",
  "sign-up": "/app/sign-up",
  "forgot-password": "/app/forgot-password",
};

const screensOf = (linkId: string) => ({
  links: "/app/links",
  "links-selected-tag": "/app/links?tag=spring",
  "links-deleted": "/app/links?status=deleted",
  "links-none": "/app/links?search=nothing-has-this",
  create: "/app/links?create=true",
  edit: `/app/links?edit=${linkId}`,
  link: `/app/links/${linkId}`,
  analytics: "/app/analytics",
  moving: "/app/moving",
  "moving-export": "/app/moving/export",
  "moving-jobs": "/app/moving/jobs",
  ...Object.fromEntries(
    ["", "profile", "security", "data", "general", "team", "audit", "keys", "webhooks", "domains", "templates"].map(
      (name) => [`settings-${name || "first"}`, `/app/settings/${name}`],
    ),
  ),
});

async function takeScreenshots(args: readonly string[]): Promise<void> {
  const folder = resolve(args[0] ?? join(import.meta.dirname, "../../.wrangler/screenshots"));
  mkdirSync(folder, { recursive: true });
  const { origin, stop } = await startDashboardService("bench/dashboard/worker.js");
  const browser = await launchBrowser(new URL(origin).host);
  const problems: string[] = [];
  try {
    const first = await browser.newContext({ userAgent: VISITOR });
    const { linkId } = await signUpWithData(first, origin);
    const storageState = await first.storageState();
    for (const width of WIDTHS) {
      for (const colorScheme of ["light", "dark"] as const) {
        const view = { userAgent: VISITOR, viewport: { width, height: HEIGHT }, colorScheme, locale: "en-GB" };
        const suffix = `${width}-${colorScheme}`;
        for (const [state, screens] of [
          [undefined, OPEN_SCREENS],
          [storageState, screensOf(linkId)],
        ] as const) {
          const context = await browser.newContext({ ...view, ...(state !== undefined && { storageState: state }) });
          for (const [name, path] of Object.entries(screens)) {
            const file = join(folder, `${name}-${suffix}.png`);
            const found = await visitScreen(context, origin, path, file);
            problems.push(...found.map((problem) => `${name}-${suffix}: ${problem}`));
          }
          await context.close();
        }
      }
    }
  } finally {
    await browser.close();
    await stop();
  }
  console.log(`The pictures are in ${folder}`);
  if (problems.length > 0) throw new Failure(`${problems.length} problems:\n${problems.join("\n")}`);
}

/** Takes the picture of a screen, and returns what is wrong with it. */
async function visitScreen(context: BrowserContext, origin: string, path: string, file: string): Promise<string[]> {
  const page = await context.newPage();
  const problems = watchProblems(page, origin);
  await page.goto(origin + path, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: file });
  const barriers = await findBarriers(page);
  await page.close();
  return [...problems, ...barriers];
}

await runCommand(takeScreenshots, USAGE);
