import { expect, it } from "vitest";
import { createLink, expectNoBarriers, ORIGIN } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn, overlaysOf } from "../support/visits.ts";

const NOT_OPENED = "The page could not be opened";

/** What the browser and the dashboard log of files that do not come. */
const MISSING_FILES = /PartError|ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to (?:fetch|load)/;

it.each([1440, 390])(
  "stays on the page without a connection, and opens the next one once there is one (%i px)",
  async (width) => {
    const { page, context } = await openSignedIn({ width, expectedProblems: MISSING_FILES });
    const slug = uniqueName();
    await createLink(context, { slug });
    const overlays = overlaysOf(page);
    await page.goto("/app/links");
    await row(page, slug).waitFor();
    await overlays;
    await context.setOffline(true);
    const analytics = page.getByRole("link", { name: "Analytics", exact: true }).locator("visible=true");
    await analytics.click();
    const message = page.getByRole("listitem").filter({ hasText: NOT_OPENED });
    await message.getByText("It opens as soon as you are online again.").waitFor();
    expect(page.url()).toBe(`${ORIGIN}/app/links`);
    expect(await row(page, slug).count()).toBe(1);
    await expectNoBarriers(page);
    await message.getByRole("button", { name: "Try again" }).click();
    await message.waitFor();
    expect(page.url()).toBe(`${ORIGIN}/app/links`);
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
    await message.waitFor({ state: "detached" });
    // Back to the list, which is there already.
    await page.goBack();
    await row(page, slug).waitFor();
  },
);

it("keeps the page and what is typed when a new version has replaced the files, and opens the next one anew", async () => {
  const { page } = await openSignedIn({ expectedProblems: MISSING_FILES });
  await page.goto("/app/links?create=true");
  const destination = page.getByRole("dialog").getByLabel("Destination", { exact: true });
  await destination.fill("https://example.com/typed");
  await page.route("**/assets/analytics-page-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Analytics", exact: true }).first().click();
  const message = page.getByRole("listitem").filter({ hasText: NOT_OPENED });
  await message.getByText("there is a new version of Tern").waitFor();
  expect(new URL(page.url()).pathname).toBe("/app/links");
  await page.keyboard.press("c");
  await destination.waitFor();
  expect(await destination.inputValue()).toBe("https://example.com/typed");
  await page.keyboard.press("Escape");
  // The page of the new version has other files.
  await page.route("**/app/analytics", async (route) => {
    await page.unroute("**/assets/analytics-page-*.js");
    await route.fallback();
  });
  await message.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/app/analytics");
});

it("opens a dialog without loading the page anew whose code did not come without a connection", async () => {
  const { page, context } = await openSignedIn({ expectedProblems: MISSING_FILES });
  const overlays = overlaysOf(page);
  await page.goto("/app/links");
  await overlays;
  await context.setOffline(true);
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Reload the page" }).waitFor();
  await context.setOffline(false);
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByLabel("Destination", { exact: true }).waitFor();
});

it("shows the progress of a page that takes long, and the newest choice wins", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  const opened = Promise.withResolvers<undefined>();
  await page.route("**/assets/analytics-page-*.js", async (route) => {
    await opened.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Analytics", exact: true }).first().click();
  const progress = page.getByRole("status").filter({ hasText: /^Loading$/ });
  await progress.waitFor();
  // The page behind it stays usable.
  expect(await page.getByRole("heading", { name: "Links", exact: true }).count()).toBe(1);
  await page.getByRole("link", { name: "Settings", exact: true }).first().click();
  await page.getByRole("heading", { name: "General", level: 1 }).waitFor();
  opened.resolve(undefined);
  await progress.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Import and export", exact: true }).first().click();
  await page.waitForURL("**/app/moving");
});

it("says what is wrong in words for people, not in those of the API", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await page.route("**/api/links/*", (route) =>
    route.fulfill({
      status: 409,
      json: { error: "There is no enrolment to confirm. Begin with POST /api/auth/mfa/totp.", code: "conflict" },
    }),
  );
  await row(page, slug)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByText("This is not possible now, because something has changed in the meantime.").first().waitFor();
  expect(await page.getByText("/api/").count()).toBe(0);
});
