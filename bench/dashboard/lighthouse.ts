import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runCommand } from "../../scripts/command.ts";
import { launchBrowser, VISITOR } from "../../test/browser/support/browser.ts";
import { startDashboardService } from "../../test/browser/support/dashboard-service.ts";
import { signUpWithData } from "./person.ts";

const USAGE = `Usage: npm run lighthouse

Prints what Lighthouse says of the pages: performance, accessibility and best practices, each of 100.
It is downloaded for this command (npx lighthouse).`;

const LIGHTHOUSE = "lighthouse@13.5.0";
const MAX_ATTEMPTS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const PAGES = [
  "/",
  "/docs",
  "/docs/api/links",
  "/docs/reference",
  "/app/sign-in",
  "/app/sign-up",
  "/app/links",
  "/app/analytics",
  "/app/settings/keys",
];

/** The metrics behind the performance score, by their usual abbreviations, and the audits that report them. */
const METRICS = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  SI: "speed-index",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
};

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { displayValue?: string }>;
}

async function measurePages(): Promise<void> {
  const { origin, stop } = await startDashboardService("bench/dashboard/worker.js");
  const folder = mkdtempSync(join(tmpdir(), "tern-lighthouse-"));
  const browser = await launchBrowser(new URL(origin).host);
  try {
    const context = await browser.newContext({ userAgent: VISITOR });
    await signUpWithData(context, origin);
    const cookies = (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join("; ");
    for (const preset of ["mobile", "desktop"]) {
      for (const page of PAGES) {
        const file = join(folder, "report.json");
        const args = [
          "--yes",
          LIGHTHOUSE,
          origin + page,
          "--quiet",
          "--output=json",
          `--output-path=${file}`,
          `--only-categories=${CATEGORIES.join(",")}`,
          `--extra-headers=${JSON.stringify(page.startsWith("/app") && !page.includes("sign") ? { Cookie: cookies } : {})}`,
          "--chrome-flags=--headless=new --no-sandbox",
          ...(preset === "desktop" ? ["--preset=desktop"] : []),
        ];
        const env = { ...process.env, CHROME_PATH: process.env["CHROMIUM"] ?? "/usr/bin/chromium" };
        await runAgainIfItFails(() => promisify(execFile)("npx", args, { env }));
        const { categories, audits } = JSON.parse(readFileSync(file, "utf8")) as Report;
        const scores = CATEGORIES.map((name) => `${name} ${Math.round((categories[name]?.score ?? 0) * 100)}`);
        const metrics = Object.entries(METRICS).map(([name, audit]) => `${name} ${audits[audit]?.displayValue}`);
        console.log(`${preset.padEnd(8)}${page.padEnd(20)}${[...scores, ...metrics].join("  ")}`);
      }
    }
  } finally {
    await browser.close();
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lighthouse fails now and then on a page that it can measure, for example because it has not seen the navigation. */
async function runAgainIfItFails(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run();
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

await runCommand(measurePages, USAGE);
