import type { Browser, Page } from "playwright-core";
import { accountLogName } from "../../../src/click-log/click-log-name.ts";
import { buildDashboard } from "../../scripts/build-dashboard.ts";
import { runCommand } from "../../scripts/command.ts";
import { choosePort } from "../../scripts/port.ts";
import { launchBrowser, VISITOR } from "../../../test/browser/support/browser.ts";
import { insertLinksOf } from "../growth/fill.ts";
import { startInstrumented, type InstrumentedServer } from "../instrumented/server.ts";
import { eachDayOfYear } from "../instrumented/year.ts";
import { signUp } from "./person.ts";

const USAGE = `Usage: npm run long-tasks

Counts the tasks of the browser's main thread that take longer than 100 ms, in an account with 100,000 links and a
million clicks: while 5,000 rows scroll by, while links are searched for, and while the analytics show other periods.`;

const LINKS = 100_000;
const CLICKED_LINKS = 1_000;
const CLICKS = 1_000_000;
const ROWS = 5_000;
/** A step of the mouse wheel, CSS px, and the pause after it. */
const WHEEL_PX = 600;
const WHEEL_MS = 50;
const LONG_TASK_MS = 100;
const SEARCHES = ["catalogue", "shop-12", "page 77"];
/** The keys of periods in the analytics: 24 hours, 7, 30 and 90 days, a year, all. */
const PERIOD_KEYS = ["h", "w", "m", "n", "l", "z"];
/** How long a page has for its requests and what it draws after them. */
const SETTLED_MS = 1_500;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the wall clock, and of the thread's CPU time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

async function measureLongTasks(): Promise<void> {
  buildDashboard();
  const port = await choosePort("0", undefined);
  const origin = `http://localhost:${port}`;
  const bindings = { BASE_URL: origin, PASSWORD_RANGE_URL: "", ALARMS: "delayed" };
  const server = await startInstrumented("test/support/internet.js", { pages: true, port, bindings });
  const browser = await launchBrowser(server.address.host);
  try {
    const context = await browser.newContext({ userAgent: VISITOR, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signUp(context, origin);
    await fillAccount(server);
    await page.goto(`${origin}/app/links`, { waitUntil: "networkidle" });
    await count(browser, page, `${ROWS} rows scrolled`, () => scrollRows(page));
    await count(browser, page, `${SEARCHES.length} searches`, () => search(page));
    await count(browser, page, "analytics opened", () => page.goto(`${origin}/app/analytics`));
    await count(browser, page, `${PERIOD_KEYS.length} periods`, () => switchPeriods(page));
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Gives the only personal account of the service its links, and their clicks over the year before now. */
async function fillAccount(server: InstrumentedServer): Promise<void> {
  const sql = "SELECT id FROM accounts WHERE personal_user_id IS NOT NULL";
  const accountId = (await server.db.prepare(sql).first<number>("id")) ?? 0;
  const now = Date.now();
  await insertLinksOf(server.db, accountId, 1, LINKS, now);
  const select = server.db.prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq DESC LIMIT ?2");
  const { results } = await select.bind(accountId, CLICKED_LINKS).all<{ id: string }>();
  const links = results.map(({ id }) => id);
  await eachDayOfYear(now, CLICKS, async ({ from, until, clicks }) => {
    const take = { accountId, links, clicks, perMessage: 100, perDelivery: 100, from, until };
    await server.control({ now: until, take });
  });
  await server.control({ night: accountLogName(accountId) });
  await server.control({ now: Date.now() });
}

async function scrollRows(page: Page): Promise<void> {
  const last = () =>
    page.getByRole("list", { name: "Links" }).locator("li").last().getAttribute("aria-posinset").then(Number);
  await page.mouse.move(700, 600);
  while ((await last()) < ROWS) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.waitForTimeout(WHEEL_MS);
  }
}

async function search(page: Page): Promise<void> {
  const field = page.getByRole("textbox", { name: "Search links" });
  for (const words of SEARCHES) {
    await field.fill("");
    await field.pressSequentially(words, { delay: 40 });
    await page.waitForTimeout(SETTLED_MS);
  }
}

async function switchPeriods(page: Page): Promise<void> {
  for (const key of PERIOD_KEYS) {
    await page.keyboard.press(key);
    await page.waitForTimeout(SETTLED_MS);
  }
}

/** Traces what happens during `use`, and prints the long tasks of the page's main thread. */
async function count(browser: Browser, page: Page, name: string, use: () => Promise<unknown>): Promise<void> {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "__metadata"] });
  await use();
  await page.waitForTimeout(SETTLED_MS);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter((event) => event.name === "thread_name" && event.args?.name === "CrRendererMain");
  const isOfPage = ({ pid, tid }: TraceEvent) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && isOfPage(event));
  const long = tasks.filter(({ dur = 0 }) => dur > LONG_TASK_MS * 1_000);
  const longest = tasks.reduce((most, { dur = 0 }) => Math.max(most, dur), 0) / 1_000;
  const shown = long.map(({ dur = 0, tdur = 0 }) => `${Math.round(dur / 1_000)} ms (CPU ${Math.round(tdur / 1_000)})`);
  const list = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
  console.log(
    `${name.padEnd(22)}${tasks.length} tasks, the longest ${Math.round(longest)} ms, ${long.length} over ${LONG_TASK_MS} ms${list}`,
  );
}

await runCommand(measureLongTasks, USAGE);
