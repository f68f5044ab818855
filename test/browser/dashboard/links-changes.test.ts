import { expect, it } from "vitest";
import { expectNoBarriers, createLink, keepBack, undo } from "../support/dashboard.ts";
import { createLinks, expectUndone, row, shownSlugs, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

it("changes a link by its menu, and undoes each change", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  const { id } = await createLink(context, { slug });
  await page.goto("/app/links");
  const link = row(page, slug);
  const choose = async (item: string) => {
    await link.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await link.getByRole("button", { name: /^More for/ }).click();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");

  await choose("Disable");
  await link.getByText("Disabled").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectUndone(page);
  await link.getByText("Disabled").waitFor({ state: "detached" });

  await choose("Delete");
  await page.getByRole("heading", { name: "Shorten your first link" }).waitFor();
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  expect((await context.request.get(`/api/links/${id}`)).status()).toBe(404);
  await undo(page);
  await link.waitFor();
  await expect.poll(async () => (await context.request.get(`/api/links/${id}`)).status()).toBe(200);

  await choose("Archive");
  await page.getByText("Archived 1 link", { exact: true }).waitFor();
  await undo(page);
  await link.waitFor();

  await choose("Edit");
  await page.waitForURL(({ searchParams }) => searchParams.get("edit") === id);
  await page.getByRole("dialog").waitFor();
  await page.goto("/app/links");
  await choose("Duplicate");
  await page.waitForURL(({ searchParams }) => searchParams.get("duplicate") === id);
  await page.goto("/app/links");
  await choose("QR code");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await choose("Details and analytics");
  await page.waitForURL(`**/app/links/${id}`);
});

it("changes a link that is still being restored", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLinks(context, [{ slug }, { slug: uniqueName() }]);
  await page.goto("/app/links");
  await row(page, slug).getByRole("checkbox").click();
  await page.keyboard.press("x");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 link" }).click();
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  const arrive = await keepBack(page, "**/api/links/*/restore");
  await undo(page);
  await row(page, slug).getByRole("checkbox").click();
  await page.keyboard.press("a");
  await row(page, slug).waitFor({ state: "detached" });
  arrive();
  await page.getByText("Archived 1 link", { exact: true }).waitFor();
});

it("brings a link back as it was if the change is refused", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context);
  const { id } = await createLink(context, { slug });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await context.request.delete(`/api/links/${id}`, { headers: { Origin: new URL(page.url()).origin } });
  await row(page, slug).getByRole("link").first().focus();
  await page.keyboard.press("a");
  await page.getByText("1 link was not changed", { exact: true }).waitFor();
  await row(page, slug).waitFor();
  await row(page, slug).getByRole("link").first().focus();
  await page.keyboard.press("x");
  const deletion = page.getByRole("dialog").getByRole("button", { name: "Delete 1 link" });
  await deletion.waitFor();
  await context.setOffline(true);
  await deletion.click();
  await page
    .getByText(/could not be reached/)
    .first()
    .waitFor();
  await row(page, slug).waitFor();
});

/** The list with five links, whose slugs are the name with a letter, on a narrow screen. The first one has a tag. */
async function openSelection() {
  const { page, context } = await openSignedIn({ width: 390 });
  const name = uniqueName();
  await createLinks(
    context,
    ["a", "b", "c", "d", "e"].map((letter) => ({ slug: name + letter, tags: letter === "a" ? ["old"] : [] })),
  );
  await page.goto("/app/links");
  const box = (letter: string) => row(page, name + letter).getByRole("checkbox");
  const bar = page.getByRole("region", { name: "Selected links" });
  const selectThree = async () => {
    await box("c").click();
    await box("a").click({ modifiers: ["Shift"] });
    await bar.getByText("3 selected").waitFor();
  };
  const undo = async () => {
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expectUndone(page);
    await page.getByRole("button", { name: "Close" }).last().click();
  };
  return { page, name, bar, dialog: page.getByRole("dialog"), selectThree, undo };
}

it("tags a selection, and undoes it", async () => {
  const { page, name, bar, dialog, selectThree, undo } = await openSelection();
  await selectThree();
  // A range that ends at a selected link leaves it selected.
  await row(page, `${name}b`)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await expect.poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(3);
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });

  await selectThree();
  await bar.getByRole("button", { name: "Tag", exact: true }).click();
  await dialog.getByRole("textbox").fill("summer");
  await dialog.getByRole("checkbox", { name: "Create tag “summer”" }).check();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Add tags" }).click();
  await expect.poll(() => page.getByText("summer", { exact: true }).count()).toBe(3);
  await row(page, `${name}a`).getByText("old").waitFor();
  await undo();
  await expect.poll(() => page.getByText("summer", { exact: true }).count()).toBe(0);
  await row(page, `${name}a`).getByText("old").waitFor();
});

it("ends and disables a selection, and undoes both", async () => {
  const { page, bar, dialog, selectThree, undo } = await openSelection();
  await selectThree();
  await bar.getByRole("button", { name: "Expire" }).click();
  await expectNoBarriers(page);
  await dialog.getByText("Now").click();
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect.poll(() => page.getByText("Expired", { exact: true }).count()).toBe(3);
  await undo();
  await expect.poll(() => page.getByText("Expired", { exact: true }).count()).toBe(0);

  await selectThree();
  await bar.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect.poll(() => page.getByText("Disabled", { exact: true }).count()).toBe(3);
  await undo();
});

it("archives and deletes a selection, and undoes both", async () => {
  const { page, bar, dialog, selectThree, undo } = await openSelection();
  await selectThree();
  await bar.getByRole("button", { name: "Move" }).click();
  await dialog.getByText("There is no other domain yet", { exact: false }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Archive" }).click();
  await page.getByText("2 links", { exact: true }).waitFor();
  await undo();
  await page.getByText("5 links", { exact: true }).waitFor();

  await selectThree();
  await bar.getByRole("button", { name: "Delete" }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Delete 3 links" }).click();
  await page.getByText("2 links", { exact: true }).waitFor();
  // One request restores all, and the rows are there before its answer.
  const restoring: string[] = [];
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/(?:bulk|links\/.*\/restore)$/, async (route) => {
    restoring.push(route.request().url());
    await answer.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByText("5 links", { exact: true }).waitFor();
  answer.resolve();
  await page.getByRole("region", { name: "Bulk changes" }).getByText("Restored 3 links").waitFor();
  expect(restoring.map((url) => new URL(url).pathname)).toEqual(["/api/bulk"]);
});

it("shows deleted links, and restores them by mouse and by key", async () => {
  const { page, name, bar, dialog, selectThree } = await openSelection();
  await selectThree();
  await bar.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete 3 links" }).click();
  await page.getByText("Deleted 3 links", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("combobox", { name: "Status" }).selectOption("Deleted");
  await page.getByText("3 links", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page
    .getByRole("listitem")
    .filter({ hasText: `${name}a` })
    .getByText("Gone for good in 7 days")
    .waitFor();
  await expectNoBarriers(page);
  const restore = (letter: string) => page.getByRole("button", { name: `${name}${letter}`, exact: false });
  await restore("b").click();
  await page.getByText("2 links", { exact: true }).waitFor();
  await page.getByText("Restored 1 link", { exact: true }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  await page.getByText("3 links", { exact: true }).waitFor();
  // By keyboard: the rows by arrows, a row by its key, and a selection.
  await restore("b").press("ArrowDown");
  await page.keyboard.press("r");
  await page.getByText("2 links", { exact: true }).waitFor();
  await page.keyboard.press("Control+a");
  await bar.getByText("2 selected").waitFor();
  expect(await bar.getByRole("button").allTextContents()).toEqual(["Restore", ""]);
  await expectNoBarriers(page);
  await bar.getByRole("button", { name: "Restore" }).press("Enter");
  await page.getByRole("heading", { name: "No deleted links" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Show all links" }).click();
  await page.getByText("5 links", { exact: true }).waitFor();
  expect((await shownSlugs(page)).slice(0, 5)).toEqual(["e", "d", "c", "b", "a"].map((letter) => name + letter));
});

it("reads further pages while the person scrolls, and changes all matches in a bulk job with undo", async () => {
  const { page, context } = await openSignedIn();
  const name = uniqueName();
  const slugs = Array.from({ length: 110 }, (_, index) => `${name}n${index}`);
  await createLinks(
    context,
    slugs.slice(0, 55).map((slug) => ({ slug })),
  );
  await createLinks(
    context,
    slugs.slice(55).map((slug) => ({ slug })),
  );
  await page.goto("/app/links");
  await row(page, `${name}n109`).waitFor();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);

  await page.keyboard.press("Control+a");
  await page.getByText("50 selected").waitFor();
  await page.getByRole("button", { name: "Select all 110 that match" }).click();
  await page.getByText("All 110 links that match").waitFor();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  const jobs = page.getByRole("region", { name: "Bulk changes" });
  await jobs.getByText("Archive 110 links").waitFor();
  await jobs.getByText("Archived 110 links").waitFor();
  await expectNoBarriers(page);
  const undone: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/undo")) undone.push(request.url());
  });
  await page.reload();
  await jobs.getByText("Archived 110 links").waitFor();
  // The key undoes what has just happened, not a job of an earlier visit.
  await page.keyboard.press("Control+z");
  expect(undone).toEqual([]);
  await jobs.getByRole("button", { name: "Undo" }).click();
  await jobs.getByText("Undone: 110 links are as before").waitFor();
  await row(page, `${name}n109`).waitFor();
  const stored = await page.evaluate(() => Object.entries(localStorage));
  await jobs.getByRole("button", { name: "Hide" }).click();
  await jobs.getByText("Archive 110 links").waitFor({ state: "detached" });
  // A job that is gone is not asked for again.
  await page.evaluate((entries) => {
    for (const [name, value] of entries) localStorage.setItem(name, value as string);
  }, stored);
  await page.route("**/api/bulk/*", (route) =>
    route.fulfill({ status: 404, json: { error: "Gone.", code: "not_found" } }),
  );
  await page.reload();
  await row(page, `${name}n109`).waitFor();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).includes("Archive 110 links"))).toBe(false);

  const last = row(page, `${name}n0`);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 3_000);
      return last.count();
    })
    .toBe(1);
  await last.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("109 links", { exact: true }).waitFor();
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("110 links", { exact: true }).waitFor();
});
