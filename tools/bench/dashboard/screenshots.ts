import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { Failure, runCommand } from "../../scripts/command.ts";
import { ROOT } from "../../scripts/wrangler.ts";
import { VISITOR } from "../../../test/browser/support/browser.ts";
import { findBarriers, watchProblems } from "../../../test/browser/support/checks.ts";
import { startSampleService, type SampleService } from "./person.ts";

const USAGE = `Usage: npm run screenshots -- [FOLDER | --documents]

Takes a picture of each screen at three widths, light and dark, into the folder (without it, .wrangler/screenshots). Fails
and lists what it finds if a screen has a barrier (axe-core, WCAG 2.2 AA), an error, a violation of the Content Security
Policy, or a request to another origin.
  --documents   takes the three pictures of docs/images instead`;

const WIDTHS = [1440, 768, 390];
const HEIGHT = 900;
/** How long a screen may take to show what it has loaded. */
const SETTLED_MS = 700;

const OPEN_SCREENS = {
  home: "/",
  docs: "/docs/reference#createLink",
  "sign-in": "/app/sign-in",
  "sign-up": "/app/sign-up",
  "forgot-password": "/app/forgot-password",
};

const screensOf = (linkId: string) => ({
  links: "/app/links",
  "links-selected-tag": "/app/links?tags=open%20day",
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
    [
      "",
      "person",
      "security",
      "data",
      "general",
      "team",
      "audit",
      "keys",
      "apps",
      "webhooks",
      "domains",
      "tags",
      "templates",
    ].map((name) => [`settings-${name || "first"}`, `/app/settings/${name}`]),
  ),
});

/** The pictures of docs/images. */
const DOCUMENT_PICTURES = [
  { name: "links", path: "/app/links", height: 800, colorScheme: "light" },
  { name: "editor", path: "/app/links?create=true", height: 800, colorScheme: "light" },
  { name: "analytics", path: "/app/analytics", height: 1_060, colorScheme: "dark" },
] as const;
const DOCUMENT_WIDTH = 1280;
/** Stands in the pictures of docs/images for the host of this machine. */
const DOCUMENT_HOST = "go.example";

async function takeScreenshots(args: readonly string[]): Promise<void> {
  const service = await startSampleService();
  try {
    if (args.includes("--documents")) await takeDocumentPictures(service);
    else await takeAll(service, resolve(args[0] ?? join(ROOT, ".wrangler/screenshots")));
  } finally {
    await service.stop();
  }
}

async function takeDocumentPictures({ browser, origin, storageState }: SampleService): Promise<void> {
  for (const { name, path, height, colorScheme } of DOCUMENT_PICTURES) {
    const viewport = { width: DOCUMENT_WIDTH, height };
    const context = await browser.newContext({
      userAgent: VISITOR,
      viewport,
      colorScheme,
      locale: "en-GB",
      storageState,
    });
    const file = join(ROOT, `docs/images/${name}.png`);
    await visitScreen(context, origin + path, file, (page) => showHost(page, new URL(origin).host, DOCUMENT_HOST));
  }
}

/** Replaces a host in the texts of the page. */
async function showHost(page: Page, host: string, shown: string): Promise<void> {
  await page.evaluate(
    ([from, to]) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() !== null) {
        const { currentNode: text } = texts;
        if (text.nodeValue?.includes(from)) text.nodeValue = text.nodeValue.replaceAll(from, to);
      }
    },
    [host, shown] as const,
  );
}

async function takeAll(service: SampleService, folder: string): Promise<void> {
  const { browser, origin, storageState } = service;
  mkdirSync(folder, { recursive: true });
  const linkId = await addToSample(service);
  const problems: string[] = [];
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      const view = { userAgent: VISITOR, viewport: { width, height: HEIGHT }, colorScheme, locale: "en-GB" };
      const visitor = await browser.newContext(view);
      const person = await browser.newContext({ ...view, storageState });
      for (const [context, screens] of [
        [visitor, OPEN_SCREENS],
        [person, screensOf(linkId)],
      ] as const) {
        for (const [name, path] of Object.entries(screens)) {
          const picture = `${name}-${width}-${colorScheme}`;
          const found = await visitScreen(context, origin + path, join(folder, `${picture}.png`));
          problems.push(...found.map((problem) => `${picture}: ${problem}`));
        }
        await context.close();
      }
    }
  }
  console.log(`The pictures are in ${folder}`);
  if (problems.length > 0) throw new Failure(`${problems.length} problems:\n${problems.join("\n")}`);
}

/** Deletes two links, and adds a domain that is not verified. Returns the id of a link with many clicks. */
async function addToSample({ origin, key }: SampleService): Promise<string> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { links } = (await call("GET", "/api/links")) as { links: { id: string; slug: string }[] };
  const idOf = (slug: string) => links.find((link) => link.slug === slug)?.id ?? "";
  for (const slug of ["north", "press-kit"]) await call("DELETE", `/api/links/${idOf(slug)}`);
  await call("POST", "/api/domains/add", { domain: "menu.alder.example" });
  return idOf("open-day");
}

/** Takes the picture of a screen after `prepare`, and returns what is wrong with it. */
async function visitScreen(
  context: BrowserContext,
  url: string,
  file: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<string[]> {
  const page = await context.newPage();
  const problems = watchProblems(page, new URL(url).origin);
  await page.goto(url, { waitUntil: "networkidle" });
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.waitForTimeout(SETTLED_MS);
  await prepare?.(page);
  await page.screenshot({ path: file });
  const barriers = await findBarriers(page);
  await page.close();
  return [...problems, ...barriers];
}

await runCommand(takeScreenshots, USAGE);
