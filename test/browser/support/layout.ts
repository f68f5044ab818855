import type { Page } from "playwright-core";
import { findBarriers } from "./checks.ts";
import type { Screen } from "./screens.ts";

const WIDTHS = [
  [1280, "light"],
  [390, "dark"],
] as const;
const HEIGHT = 900;
/** The rule of axe-core that compares names with texts: only one of both may be longer here (pseudo-language.ts). */
const MIXED_NAMES = "label-content-name-mismatch";

/**
 * Opens each screen once, in a wide and light window that becomes narrow and dark. Returns what does not fit there and,
 * with `barriers`, what axe-core finds.
 */
export async function findFaultsOf(
  page: Page,
  screens: readonly Screen[],
  { barriers }: { barriers: boolean },
): Promise<string[]> {
  const found: string[] = [];
  for (const { path, key } of screens) {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(path, { waitUntil: "networkidle" });
    if (key !== undefined) {
      await page.keyboard.press(key);
      await page.locator("[role=dialog]").waitFor();
    }
    for (const [width, colorScheme] of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme });
      await settle(page);
      const faults = [...(await findMisfits(page)), ...(await findRepeatedHeadings(page))];
      if (barriers) faults.push(...(await findBarriers(page)).filter((barrier) => !barrier.startsWith(MIXED_NAMES)));
      found.push(...faults.map((fault) => `${path} ${key ?? ""}, ${width} px, ${colorScheme}: ${fault}`));
    }
  }
  return found;
}

/** Waits until the page has the same size in several frames one after the other. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { body } = document;
    for (let same = 0, size = ""; same < 4;) {
      await new Promise(requestAnimationFrame);
      const now = `${body.scrollWidth} ${body.scrollHeight}`;
      same = now === size ? same + 1 : 0;
      size = now;
    }
  });
}

/** Returns the headings that have the name of another one: who goes from heading to heading cannot tell them apart. */
function findRepeatedHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const headings = [...document.querySelectorAll("h1, h2")].filter((each) => each.checkVisibility());
    const names = headings.map(({ textContent }) => textContent.trim());
    return names.filter((name, index) => names.indexOf(name) < index).map((name) => `two headings: ${name}`);
  });
}

/** Returns what does not fit on the page as it is now: in the dialog that is open, or on the whole page. */
function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll<HTMLElement>("[role=dialog]")].at(-1);
    const elements = [...(dialog ?? document.body).querySelectorAll<HTMLElement>("*")];
    const found: string[] = [];
    const name = (element: Element) => {
      const words =
        element.textContent.trim() || element.getAttribute("aria-label") || element.getAttribute("name") || "";
      return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class")}"> ${words.slice(0, 60)}`;
    };
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest(".sr-only, [data-toasts]") === null &&
      element.getBoundingClientRect().width > 1;
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      return [`The page is ${root.scrollWidth} px wide, of ${root.clientWidth}.`];

    /** Whether what sticks out of the element, or of one around it, can be scrolled or ends with an ellipsis. */
    const isCutOnPurpose = (element: Element | null): boolean => {
      for (let each = element; each !== null && each !== root; each = each.parentElement) {
        const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(each);
        if (/auto|scroll/.test(overflowX) || textOverflow === "ellipsis" || webkitLineClamp !== "none") return true;
      }
      return false;
    };
    const TEXTS = "a, button, label, legend, h1, h2, h3, th, dt, dd, p, summary, li, td, [role=tab]";
    for (const element of elements) {
      if (!element.matches(TEXTS) || !isShown(element) || isCutOnPurpose(element)) continue;
      const { left, right } = element.getBoundingClientRect();
      if (element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
        found.push(`cut, ${element.scrollWidth} px of ${element.clientWidth}: ${name(element)}`);
      else if (left < -1 || right > root.clientWidth + 1) found.push(`beside the window: ${name(element)}`);
    }

    const EDGE_PX = 5;
    const CONTROLS = "a[href], button, input, select, textarea, summary, [role=switch], [role=slider]";
    /** The box of what stays while the page scrolls, which lies over the page. */
    const layerOf = (element: Element | null): Element | null => {
      for (let each = element; each !== null; each = each.parentElement)
        if (/fixed|sticky/.test(getComputedStyle(each).position)) return each;
      return null;
    };
    const controls = elements
      .filter((element) => element.matches(CONTROLS) && isShown(element))
      .map((element) => ({ element, layer: layerOf(element), boxes: [...element.getClientRects()] }));
    /** The middle of what two boxes have in common; null: nothing but the edges, by which targets may be larger than they look. */
    const commonOf = (a: DOMRect, b: DOMRect) => {
      const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)];
      const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
      return right - left > EDGE_PX && bottom - top > EDGE_PX ? { x: (left + right) / 2, y: (top + bottom) / 2 } : null;
    };
    const isIn = (a: DOMRect, b: DOMRect) =>
      a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    /** Whether both are there, and none is hidden behind the edge of a part that scrolls. */
    const areBothAt = ({ x, y }: { x: number; y: number }, one: Element, other: Element) => {
      const before = scrollY;
      scrollBy(0, y - innerHeight / 2);
      const there = document.elementsFromPoint(x, y - (scrollY - before));
      scrollTo(0, before);
      return there.includes(one) && there.includes(other);
    };
    for (const [index, one] of controls.entries())
      for (const other of controls.slice(index + 1)) {
        if (one.layer !== other.layer || one.element.contains(other.element)) continue;
        const isOver = one.boxes.some((a) =>
          other.boxes.some((b) => {
            const common = commonOf(a, b);
            // Buttons in a field are within it.
            return common !== null && !isIn(a, b) && !isIn(b, a) && areBothAt(common, one.element, other.element);
          }),
        );
        if (isOver) found.push(`over each other: ${name(one.element)} and ${name(other.element)}`);
      }
    return found;
  });
}
