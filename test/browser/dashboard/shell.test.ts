import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { createLinks, row, uniqueName } from "../support/link-list.ts";
import { createTeam } from "../support/people.ts";
import { signInNewPerson } from "../support/persons.ts";
import { openSignedIn, overlaysOf } from "../support/visits.ts";

it.each([1440, 390])("shows the navigation, the menus and the palette (%i px)", async (width) => {
  const { page } = await openSignedIn({ width });
  await page.goto("/app");
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  // The header of the page preloads the session, and the code uses that response.
  const sessions = await page.evaluate(() =>
    performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/auth/session")),
  );
  expect(sessions.map((entry) => (entry as PerformanceResourceTiming).initiatorType)).toEqual(["link"]);
  await expectNoBarriers(page);

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search links, pages and actions").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /Ann Lee/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/app/sign-in");
});

async function disable(page: Page, slug: string): Promise<void> {
  await row(page, slug)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
}

/** Chooses an account in the menu of the page. */
async function switchTo(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: from }).click();
  await page.getByRole("menuitemcheckbox", { name: to }).click();
  await page.getByRole("button", { name: to }).waitFor();
}

it("acts for the account that the tab shows, also after a change in another tab and a new sign-in", async () => {
  const { page, context, person } = await openSignedIn();
  const teamId = await createTeam(context);
  const slug = uniqueName();
  await createLink(context, { slug });
  const accounts: (string | undefined)[] = [];
  page.on("request", async (request) => {
    if (request.url().includes("/api/clicks?")) accounts.push((await request.allHeaders())["x-account-id"]);
  });
  const overlays = overlaysOf(page);
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await overlays;
  // Without a connection, a change fails, as the page says.
  await context.setOffline(true);
  await page.getByText("You are offline. What you see may be old, and changes need a connection.").waitFor();
  await disable(page, slug);
  await page.getByText("1 link was not changed").first().waitFor();
  await context.setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  await disable(page, slug);
  await page.getByText("Disabled 1 link", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Search links" }).fill(slug);
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === slug);
  await switchTo(page, "Ann Lee", "Lighthouse");
  // The team has other links.
  expect(new URL(page.url()).search).toBe("");
  // Undone now, the change would be sent for the team.
  await page.getByText("Disabled 1 link", { exact: true }).waitFor({ state: "detached" });

  const other = await context.newPage();
  await other.goto("/app/links");
  await other.getByRole("button", { name: "Lighthouse" }).waitFor();
  await switchTo(other, "Lighthouse", "Ann Lee");
  await row(other, slug).waitFor();
  await page.getByRole("link", { name: "Analytics" }).first().click();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  await expect.poll(() => accounts.length).toBeGreaterThan(0);
  expect(new Set(accounts)).toEqual(new Set([teamId]));
  expect(await page.getByRole("button", { name: "Lighthouse" }).count()).toBe(1);
  // The page that was opened has the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  await other.close();

  await context.clearCookies();
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.waitForURL("**/app/sign-in**");
  expect(new URL(page.url()).searchParams.get("next")).toBe("/app/settings");
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Lighthouse" }).waitFor();
  await page.waitForURL("**/app/settings");

  const second = await context.newPage();
  await second.goto("/app/links");
  await second.getByRole("heading", { name: "Links", exact: true }).waitFor();
  await page.route("**/api/auth/sign-out", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Lighthouse" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("You are still signed in").first().waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL("**/app/sign-in");
  // The other tab has left the pages of the person too. It follows when somebody else signs in.
  await second.waitForURL("**/app/sign-in**");
  await signInNewPerson(context, "Bob Ray");
  await second.goto("/app/settings/person");
  await second.getByRole("button", { name: "Bob Ray" }).waitFor();
  await signInNewPerson(context, "Cleo Fox");
  await page.goto("/app/settings");
  await second.getByRole("button", { name: "Cleo Fox" }).waitFor();
  await second.waitForURL("**/app/links");
});

it("keeps the keys of the page out of dialogs, lets people switch off single letters, and finds pages by name", async () => {
  const { page, context } = await openSignedIn({ expectedProblems: /^PartError/ });
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await shortcuts.getByText("Create link").waitFor();
  // Keys that do the same are in one line.
  expect(
    await shortcuts.getByText("Next link", { exact: true }).locator("xpath=following-sibling::dd").allInnerTexts(),
  ).toEqual([expect.stringMatching(/^J\s+or\s+↓$/)]);
  // No key is wider or higher than its keycap, apart from rounding.
  const spilled = await shortcuts
    .locator("kbd")
    .evaluateAll((all) =>
      all
        .filter((cap) => cap.scrollWidth > cap.clientWidth + 1 || cap.scrollHeight > cap.clientHeight + 1)
        .map(({ textContent }) => textContent),
    );
  expect(spilled).toEqual([]);
  await page.keyboard.press("c");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  // The browser's address bar does not take the focus either.
  await page.evaluate(() => {
    addEventListener("keydown", (event) => {
      if (event.key === "k") document.documentElement.dataset["taken"] = String(event.defaultPrevented);
    });
  });
  await page.keyboard.press("Control+k");
  expect(await page.evaluate(() => document.documentElement.dataset["taken"])).toBe("true");
  expect(await page.getByRole("dialog").count()).toBe(1);
  await shortcuts.getByRole("checkbox", { name: "Shortcuts of single letters and signs" }).uncheck();
  await shortcuts.getByText("Create link").waitFor({ state: "detached" });
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await shortcuts.waitFor({ state: "detached" });
  await page.keyboard.press("c");
  await page.keyboard.press("?");
  expect(new URL(page.url()).pathname).toBe("/app/links");

  // A part of the page that does not come, as after a new version, and comes with the page that is loaded anew.
  await page.route("**/palette-*.js", (route) => route.abort());
  await page.keyboard.press("Control+k");
  const reload = page.getByRole("button", { name: "Reload the page" });
  await reload.waitFor();
  await page.unroute("**/palette-*.js");
  await Promise.all([page.waitForEvent("load"), reload.click()]);
  await row(page, slug).waitFor();
  await page.keyboard.press("Control+k");
  const search = page.getByPlaceholder("Search links, pages and actions");
  await search.fill("dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await page.keyboard.press("Control+k");
  await search.fill("shortcuts");
  await page.keyboard.press("Enter");
  await shortcuts.getByRole("checkbox").check();
  await page.keyboard.press("Escape");
  // The link whose slug is typed comes before those that only contain it.
  await createLinks(
    context,
    ["", 1, 2, 3, 4, 5, 6].map((end) => ({ slug: `${slug}-5${end}` })),
  );
  await page.keyboard.press("Control+k");
  await search.fill(`${slug}-5`);
  const found = page.getByRole("option").filter({ hasText: `/${slug}` });
  await expect.poll(() => found.count()).toBe(6);
  expect(await found.first().textContent()).toMatch(new RegExp(`/${slug}-5https`));
  await search.fill("audit");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/app/settings/audit");
});

it("works without the browser's storage, and with broken values in it", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.addInitScript(() => {
    for (const name of ["links-display", "theme", "character-keys"]) localStorage.setItem(name, "null");
  });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("Storage is forbidden.", "SecurityError");
        },
      });
  });
  for (const path of ["/", "/docs", "/docs/reference"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByText("Compact").click();
  expect(await page.getByRole("radio", { name: "Compact" }).isChecked()).toBe(true);
});
