import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoBarriers } from "../support/dashboard.ts";
import { createTeam } from "../support/people.ts";
import { openSignedIn } from "../support/visits.ts";

const looksOf = (button: Locator) =>
  button.evaluate((element) => {
    const { color, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element);
    return { color, backgroundColor, borderTopColor, borderTopWidth };
  });

const startOf = async (page: Page, path: string, content: string) => {
  await page.goto(path);
  const [title, first] = [page.getByRole("heading", { level: 1 }), page.locator(content).first()];
  await first.waitFor();
  return [(await title.boundingBox())?.x, (await first.boundingBox())?.x];
};

it("starts the content of Import and export where that of other pages starts, at any width", async () => {
  const { page } = await openSignedIn({ width: 1920 });
  const [title] = await startOf(page, "/app/analytics", "main h1");
  expect(await startOf(page, "/app/moving", "main header + *")).toEqual([title, title]);
});

it("gives buttons the looks of what they destroy", async () => {
  const { page, context } = await openSignedIn();
  const teamId = await createTeam(context);
  await page.goto("/app/settings/data");
  const deletion = page.getByRole("button", { name: "Delete my account" });
  const asking = await looksOf(deletion);
  await deletion.click();
  const destroying = await looksOf(page.getByRole("dialog").getByRole("button", { name: "Delete my account" }));
  expect(destroying.backgroundColor).not.toBe(asking.backgroundColor);
  await page.addInitScript((id) => sessionStorage.setItem("account", id), teamId);
  await page.goto("/app/settings/team");
  // The buttons of one danger look alike.
  expect(await looksOf(page.getByRole("button", { name: "Delete team" }))).toEqual(asking);
  await expectNoBarriers(page);
  // What can be had again looks otherwise than what is destroyed.
  await page.getByRole("button", { name: "Leave team" }).click();
  const ending = await looksOf(page.getByRole("dialog").getByRole("button", { name: "Leave team" }));
  expect(ending).toEqual(asking);
});
