import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { Failure, runCommand, WRONG_USAGE } from "../../scripts/command.ts";
import { CHROMIUM } from "../../../test/browser/support/browser.ts";
import { startSampleService } from "./person.ts";

const USAGE = `Usage: npm run lighthouse [-- [--phone] [--runs N] [PATH...]]

Prints what Lighthouse says of the pages: performance, accessibility and best practices, each of 100, and the bytes that
the page loads. It is downloaded for this command (npx lighthouse).

  --phone   only as a phone with 1.6 Mbit/s, not as a desktop computer too
  --runs N  opens each page N times, and prints the run with the median performance (default: 1)
  PATH      only these pages, such as /app/links`;

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
  audits: Record<string, { displayValue?: string; numericValue?: number }>;
}

const percentOf = ({ categories }: Report, category: string): number =>
  Math.round((categories[category]?.score ?? 0) * 100);

async function measurePages(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { phone: { type: "boolean", default: false }, runs: { type: "string", default: "1" } },
  });
  const runs = Number(values.runs);
  if (!(runs >= 1)) throw new Failure("--runs must be a number from 1.", WRONG_USAGE);
  const { origin, storageState, stop } = await startSampleService();
  const folder = mkdtempSync(join(tmpdir(), "tern-lighthouse-"));
  try {
    const cookies = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    for (const preset of values.phone ? ["mobile"] : ["mobile", "desktop"]) {
      for (const page of positionals.length > 0 ? positionals : PAGES) {
        const file = join(folder, "report.json");
        const options = [
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
        const env = { ...process.env, CHROME_PATH: CHROMIUM };
        const reports: Report[] = [];
        while (reports.length < runs) {
          await runAgainIfItFails(() => promisify(execFile)("npx", options, { env }));
          reports.push(JSON.parse(readFileSync(file, "utf8")) as Report);
        }
        reports.sort((one, other) => percentOf(one, "performance") - percentOf(other, "performance"));
        const median = reports[Math.floor(runs / 2)];
        if (median === undefined) continue;
        const { audits } = median;
        const scores = CATEGORIES.map((name) => `${name} ${percentOf(median, name)}`);
        const metrics = Object.entries(METRICS).map(([name, audit]) => `${name} ${audits[audit]?.displayValue}`);
        const bytes = `${Math.round((audits["total-byte-weight"]?.numericValue ?? 0) / 1_000)} kB`;
        console.log(`${preset.padEnd(8)}${page.padEnd(20)}${[...scores, ...metrics, bytes].join("  ")}`);
      }
    }
  } finally {
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
