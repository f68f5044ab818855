import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { newSlug, openEditor, patchLink, textbox, URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// A save of the editor that fails while the person is at its lower end.

/** Waits until the element or something in it has the focus, and is in sight. */
async function expectShown(element: Locator): Promise<void> {
  const isShown = () =>
    element.evaluate((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      const middle = document.elementFromPoint(innerWidth / 3, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
      return (
        each.contains(document.activeElement) && top >= 0 && middle !== null && each.closest("form")?.contains(middle)
      );
    });
  await expect.poll(isShown).toBe(true);
}

/** Opens all groups of fields and scrolls to the last one. */
async function goToEnd(page: Page): Promise<void> {
  for (const key of ["m", "x", "t", "s", "o"]) await page.keyboard.press(`Alt+${key}`);
  await textbox(page, "External id").scrollIntoViewIfNeeded();
  await textbox(page, "External id").focus();
}

it.each([1440, 390])("scrolls to what is wrong and focuses it (%i px)", async (width) => {
  const { page, context } = await openSignedIn({ width, height: 760 });
  const taken = newSlug("Taken");
  await createLink(context, { slug: taken, externalId: "product-1" });
  await page.goto("/app/links?create=true");
  await page.getByRole("textbox", URL_FIELD).waitFor();
  // Nothing is entered.
  await goToEnd(page);
  await page.keyboard.press("Control+Enter");
  await expectShown(page.getByRole("textbox", URL_FIELD));

  // The service refuses the slug.
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/once-more");
  await textbox(page, "Slug").fill(taken);
  await textbox(page, "External id").focus();
  await page.keyboard.press("Enter");
  await expectShown(textbox(page, "Slug"));
  expect(await textbox(page, "Slug").getAttribute("aria-invalid")).toBe("true");
  await textbox(page, "Slug").fill("");

  // A field in a group that is closed.
  await textbox(page, "Android").fill("tel:110");
  await page.keyboard.press("Alt+t");
  await textbox(page, "Slug").focus();
  await page.keyboard.press("Enter");
  await expectShown(textbox(page, "Android"));
  await textbox(page, "Android").fill("");

  // About no field.
  await context.setOffline(true);
  await textbox(page, "External id").focus();
  await page.keyboard.press("Enter");
  await page.getByText(/^The service could not be reached/).waitFor();
  await expectShown(page.locator("[tabindex='-1']", { hasText: /The service could not be reached/ }).last());
  await expectNoBarriers(page);
  await context.setOffline(false);
  await page.keyboard.press("Control+Enter");
  await page
    .getByText(/ is ready$/)
    .first()
    .waitFor();
});

it("scrolls to the changes of another person and focuses them", async () => {
  const { page, context } = await openSignedIn({ width: 390, height: 760 });
  const { id } = await createLink(context, { slug: newSlug("Conflict") });
  const dialog = await openEditor(page, id);
  await textbox(page, "Title").fill("Mine");
  await patchLink(context, id, { title: "Theirs" });
  await goToEnd(page);
  await page.keyboard.press("Control+s");
  await dialog.getByText("Somebody else has changed this link").waitFor();
  await expectShown(page.locator("[tabindex='-1']", { hasText: "Somebody else has changed this link" }).last());
});
