import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

const HEBREW = "מבצע האביב הגדול של החנות המקוונת ".repeat(5).trim();
const LONG_WORD = "Donaudampfschifffahrtsgesellschaft".repeat(5);

/** Whether the first character of the text is within its box. */
const showsBeginning = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.setStart(element.firstChild ?? element, 0);
    range.setEnd(element.firstChild ?? element, 1);
    const [character, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return character.left >= box.left - 1 && character.right <= box.right + 1;
  });

it.each([390, 768, 1280])(
  "shows the beginning of right-to-left titles, and long titles as a whole (%i px)",
  async (width) => {
    const { page, context } = await openSignedIn({ width });
    const [hebrew, word] = [uniqueName(), uniqueName()];
    await createLink(context, { slug: hebrew, title: HEBREW });
    const long = await createLink(context, { slug: word, title: LONG_WORD, tags: ["x".repeat(50)] });
    await page.goto("/app/links");
    const title = row(page, hebrew).getByText(HEBREW);
    expect(await title.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
    expect(await showsBeginning(title)).toBe(true);
    expect(await title.getAttribute("title")).toBe(HEBREW);

    await page.goto(`/app/links/${long.id}`);
    const whole = page.getByRole("definition").filter({ hasText: LONG_WORD });
    await whole.waitFor();
    await page.getByText("Clicks appear here a second or two after the visit.").waitFor();
    expect(await whole.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectNoBarriers(page);
  },
);
