import { expect, it } from "vitest";
import { BERLIN, click, waitForClicks } from "../support/clicks.ts";
import { createLink, expectNoBarriers, ORIGIN, undo } from "../support/dashboard.ts";
import { createTeam, joinTeam } from "../support/people.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

it.each([
  ["light", 1280],
  ["dark", 390],
] as const)("adds, changes and deletes notes, and marks them in the chart (%s, %i px)", async (theme, width) => {
  const { page, context } = await openSignedIn({ theme, width });
  const { id, slug } = await createLink(context, { tags: ["sale"] });
  await click(slug, { place: BERLIN });
  await waitForClicks(context, 1);
  await page.goto("/app/analytics?tag=sale&timezone=Asia%2FTokyo&interval=7d");
  const notes = page.getByRole("region", { name: "Notes" });
  await notes.getByRole("button", { name: "Add note" }).waitFor();

  // A note of the bucket at the cursor, by keyboard.
  const timeline = page.getByRole("slider", { name: "Timeline" });
  await timeline.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog", { name: "Add note" });
  await dialog.getByLabel("What happened").waitFor();
  expect(await dialog.getByLabel("When").inputValue()).toMatch(/T00:00$/);
  await dialog.getByText("Asia/Tokyo").waitFor();
  expect(await dialog.getByLabel("About").locator("option").allInnerTexts()).toEqual(["Tag sale", "All clicks"]);
  await expectNoBarriers(page);
  await page.keyboard.type("Newsletter sent");
  await page.keyboard.press("Enter");
  const note = notes.getByRole("listitem").filter({ hasText: "Newsletter sent" });
  await note.filter({ hasText: "sale" }).waitFor();
  expect(await page.locator("[data-note-mark]").count()).toBe(1);
  await expectNoBarriers(page);
  await timeline.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => timeline.getAttribute("aria-valuetext")).toMatch(/\. Note: Newsletter sent$/);
  await page.keyboard.press("ArrowRight");
  expect(await timeline.getAttribute("aria-valuetext")).not.toContain("Note");

  await note.getByRole("button", { name: "Edit the note: Newsletter sent" }).click();
  await page.getByRole("dialog", { name: "Edit note" }).getByLabel("What happened").fill("Newsletter sent to all");
  await page.keyboard.press("Enter");
  const changed = notes.getByText("Newsletter sent to all", { exact: true });
  await changed.waitFor();
  await undo(page);
  await notes.getByText("Newsletter sent", { exact: true }).waitFor();
  await note.getByRole("button", { name: "Delete the note: Newsletter sent" }).click();
  await note.waitFor({ state: "detached" });
  expect(await page.locator("[data-note-mark]").count()).toBe(0);
  await undo(page);
  await note.waitFor();

  // The page of the link proposes the link. Its notes, those of its tags and those of all clicks are there.
  await page.goto(`/app/links/${id}`);
  await note.waitFor();
  await notes.getByRole("button", { name: "Add note" }).click();
  await dialog.getByLabel("What happened").fill("Poster printed");
  await dialog.getByRole("button", { name: "Save" }).click();
  await notes.getByText("Poster printed", { exact: true }).waitFor();
  // Not those of other tags.
  await page.goto("/app/analytics?tag=other");
  await notes.getByRole("button", { name: "Add note" }).waitFor();
  expect(await notes.getByRole("listitem").count()).toBe(0);
  // The account's own page has all, with the names of their links.
  await page.goto("/app/analytics");
  await notes
    .getByRole("listitem")
    .filter({ hasText: "Poster printed" })
    .filter({ hasText: `/${slug}` })
    .waitFor();
});

it("shows notes to viewers of the account, who cannot change them, and to nobody on shared pages", async () => {
  const owner = await openSignedIn();
  const viewer = await openSignedIn();
  const teamId = await createTeam(owner.context);
  await joinTeam(owner.context, teamId, viewer, "viewer");
  const { page } = viewer;
  await page.goto("/app/links");
  await page.evaluate((id) => sessionStorage.setItem("account", id), teamId);
  const headers = { Origin: ORIGIN, "X-Account-Id": teamId };
  const send = async (path: string, data: object) => {
    const response = await owner.context.request.post(path, { data, headers });
    expect(response.status()).toBe(201);
    return (await response.json()) as Record<string, { id: string; slug: string; url: string }>;
  };
  const { link } = await send("/api/links", { url: "https://example.com/", tags: ["sale"] });
  await send("/api/notes", { at: Date.now(), text: "Newsletter sent" });
  const { sharedPage } = await send("/api/shared-pages", { linkId: link?.id });
  await click(link?.slug ?? "", { place: BERLIN });
  await page.goto("/app/analytics");
  await page.getByRole("region", { name: "Notes" }).getByText("Newsletter sent").waitFor();
  await expectNoBarriers(page);
  for (const name of [/^Add note/, /^Edit the note/, /^Delete the note/])
    expect(await page.getByRole("button", { name }).count()).toBe(0);

  const visitor = await openVisit();
  await visitor.page.goto(sharedPage?.url ?? "");
  await visitor.page.getByRole("slider", { name: "Timeline" }).waitFor();
  expect(await visitor.page.getByText(/Newsletter sent|Notes/).count()).toBe(0);
});
