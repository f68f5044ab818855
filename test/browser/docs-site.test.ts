import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../tools/scripts/wrangler.ts";
import { expectNoBarriers } from "./support/dashboard.ts";
import { openVisit } from "./support/visits.ts";

// The documents without an installation, below a path of a host.

let site: string;
beforeAll(() => {
  site = join(mkdtempSync(join(tmpdir(), "tern-site-")), "files");
  execFileSync(process.execPath, ["tools/scripts/docs-site.ts", "--out", site], { cwd: ROOT });
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

async function openSite(file: string) {
  const { page } = await openVisit({ width: 1280 });
  await page.route("**/of/tern/**", (route) => {
    const path = new URL(route.request().url()).pathname.replace("/of/tern/", "");
    return route.fulfill({ path: join(site, path) });
  });
  await page.goto(`/of/tern/${file}`);
  return page;
}

it("shows a page with its fonts and examples, and finds parts of other pages", async () => {
  const page = await openSite("api/links.html");
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  await expect.poll(() => page.evaluate(() => document.fonts.check("16px 'Figtree Variable'"))).toBe(true);
  await page.locator(".tabs").first().getByRole("tab", { name: "Python" }).click();
  expect(await page.getByRole("link", { name: "Dashboard", exact: true }).count()).toBe(0);
  await expectNoBarriers(page);
  await page.getByLabel("Search the documents").fill("visit limits");
  await page.getByRole("link", { name: /^Ending links: Visit limits/ }).click();
  await page.waitForURL(/\/of\/tern\/api\/ending-links\.html#visit-limits$/);
});

it("shows the API reference, which leads back to the documents", async () => {
  const page = await openSite("reference.html");
  await page.getByRole("heading", { name: "Links", level: 2 }).waitFor();
  expect(await page.getByRole("link", { name: "dashboard" }).count()).toBe(0);
  await page.getByRole("link", { name: "Docs" }).click();
  await page.waitForURL(/\/of\/tern\/index\.html$/);
  await page.getByRole("heading", { name: "Documents", level: 1 }).waitFor();
});
