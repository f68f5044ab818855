import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

it("says that it searches until the links are there, and only then that nothing matches", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/links\?.*search=/, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  await page.keyboard.type(slug);
  await palette.getByText("Searching links…").waitFor();
  expect(await palette.getByText("Nothing matches.").count()).toBe(0);
  await expectNoBarriers(page);
  answer();
  await palette.getByText(slug).waitFor();
  await palette.getByText("Searching links…").waitFor({ state: "detached" });
  await page.keyboard.type("nothing");
  await palette.getByText("Nothing matches.").waitFor();
  expect(await palette.getByText("Searching links…").count()).toBe(0);
});
