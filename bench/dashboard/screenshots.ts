import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { runCommand } from "../../scripts/command.ts";
import { launchBrowser, VISITOR } from "../../test/browser/support/browser.ts";
import { startDashboardService } from "../../test/browser/support/dashboard-service.ts";
import { signUpWithData } from "./person.ts";

const USAGE = `Usage: npm run screenshots -- [FOLDER]

Takes a picture of each screen at three widths, light and dark, into the folder (without it, .wrangler/screenshots).`;

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
  "links-none": "/app/links?search=nothing-has-this",
  create: "/app/links?create=true",
  link: `/app/links/${linkId}`,
  analytics: "/app/analytics",
  moving: "/app/moving",
  ...Object.fromEntries(
    ["", "profile", "security", "data", "general", "team", "audit", "keys", "webhooks", "domains", "templates"].map(
      (name) => [`settings-${name || "first"}`, `/app/settings/${name}`],
    ),
  ),
});

async function takeScreenshots(args: readonly string[]): Promise<void> {
  const folder = resolve(args[0] ?? join(import.meta.dirname, "../../.wrangler/screenshots"));
  mkdirSync(folder, { recursive: true });
  const { origin, stop } = await startDashboardService();
  const browser = await launchBrowser(new URL(origin).host);
  try {
    const first = await browser.newContext({ userAgent: VISITOR });
    const { linkId } = await signUpWithData(first, origin);
    const storageState = await first.storageState();
    for (const width of WIDTHS) {
      for (const colorScheme of ["light", "dark"] as const) {
        const view = { userAgent: VISITOR, viewport: { width, height: HEIGHT }, colorScheme, locale: "en-GB" };
        const visitor = await browser.newContext(view);
        const person = await browser.newContext({ ...view, storageState });
        for (const [context, screens] of [
          [visitor, OPEN_SCREENS],
          [person, screensOf(linkId)],
        ] as const) {
          const page = await context.newPage();
          for (const [name, path] of Object.entries(screens)) {
            await page.goto(origin + path, { waitUntil: "networkidle" });
            await page.waitForTimeout(SETTLED_MS);
            await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
          }
          await context.close();
        }
      }
    }
    console.log(`The pictures are in ${folder}`);
  } finally {
    await browser.close();
    await stop();
  }
}

await runCommand(takeScreenshots, USAGE);
