import { expect, it } from "vitest";
import { keepBack, undo } from "../support/dashboard.ts";
import { createLinks, row, uniqueName } from "../support/link-list.ts";
import { URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// What is typed while the code of a dialog loads. Each test keeps that code back until it has typed.

/** The list of two links, a and b. The pointer is over b. */
async function openList() {
  const visit = await openSignedIn();
  const name = uniqueName();
  await createLinks(visit.context, [{ slug: `${name}a` }, { slug: `${name}b`, url: "https://example.com/b" }]);
  await visit.page.goto("/app/links", { waitUntil: "networkidle" });
  await row(visit.page, `${name}b`).hover();
  return { ...visit, name };
}

const TEXT = "exports dqajk/?";

it("gives what is typed after Ctrl+K to the palette, whose code still loads", async () => {
  const { page } = await openList();
  const arrive = await keepBack(page, "**/palette-*.js");
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`${TEXT}z`);
  await page.keyboard.press("Backspace");
  arrive();
  const field = page.getByPlaceholder(/./).and(page.getByRole("combobox"));
  await expect.poll(() => field.inputValue()).toBe(TEXT);
  await page.keyboard.type(" and on");
  expect(await field.inputValue()).toBe(`${TEXT} and on`);
  await page.keyboard.press("Escape");
  await page.getByText("2 links", { exact: true }).waitFor();
});

it("opens nothing when Escape is pressed while the code loads", async () => {
  const { page } = await openList();
  const palette = await keepBack(page, "**/palette-*.js");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("ex");
  await page.keyboard.press("Escape");
  palette();
  const editor = await keepBack(page, "**/link-editor-*.js");
  await page.keyboard.press("c");
  await page.waitForURL(({ searchParams }) => searchParams.has("create"));
  await page.keyboard.type("ex");
  await page.keyboard.press("Escape");
  await page.waitForURL(({ searchParams }) => !searchParams.has("create"));
  editor();
  // The keys act again.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
});

it.each(["key C", "button"])(
  "gives what is typed after the %s to the new link, whose editor still loads",
  async (opener) => {
    const { page } = await openList();
    const arrive = await keepBack(page, "**/link-editor-*.js");
    if (opener === "key C") await page.keyboard.press("c");
    else await page.getByRole("button", { name: "Create link" }).first().click();
    await page.keyboard.type("example.com/ax");
    // A paste arrives as well.
    await page.evaluate(() => navigator.clipboard.writeText("?from=paste"));
    await page.keyboard.press("Control+v");
    arrive();
    const field = page.getByRole("textbox", URL_FIELD);
    await expect.poll(() => field.inputValue()).toBe("example.com/ax?from=paste");
    await page.keyboard.type("#e");
    expect(await field.inputValue()).toBe("example.com/ax?from=paste#e");
  },
);

it("gives what is typed after E to the destination of the link under the pointer", async () => {
  const { page } = await openList();
  const arrive = await keepBack(page, "**/link-editor-*.js");
  await page.keyboard.press("e");
  await page.keyboard.type("/xa");
  arrive();
  const field = page.getByRole("textbox", URL_FIELD);
  await expect.poll(() => field.inputValue()).toBe("https://example.com/b/xa");
});

it("puts the focus into the field for tags of selected links, and what is typed before", async () => {
  const { page, name } = await openList();
  await row(page, `${name}a`).getByRole("checkbox").click();
  const arrive = await keepBack(page, "**/bulk-dialogs-*.js");
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await page.keyboard.type("xenon");
  arrive();
  const field = page.getByRole("textbox", { name: "Find a tag" });
  await expect.poll(() => field.inputValue()).toBe("xenon");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
});

it("changes no row that is only under the pointer", async () => {
  const { page, name } = await openList();
  const changes: string[] = [];
  page.on("request", (request) => {
    if (!["GET", "HEAD"].includes(request.method())) changes.push(`${request.method()} ${request.url()}`);
  });
  await page.keyboard.type("xa");
  // The key for the QR code changes nothing, so it acts on the row.
  await page.keyboard.press("q");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(changes).toEqual([]);
  // The row with the keyboard focus, not the one under the pointer.
  await page.keyboard.press("j");
  const focused = await page.evaluate(() => document.activeElement?.closest("li")?.textContent ?? "");
  await page.keyboard.press("x");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 link" }).click();
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  const [gone, other] = focused.includes(`${name}a`) ? ["a", "b"] : ["b", "a"];
  await row(page, name + other).waitFor();
  await row(page, name + gone).waitFor({ state: "detached" });
  await undo(page);
  await page.getByText("2 links", { exact: true }).waitFor();
  // Selected ones.
  await row(page, `${name}a`).getByRole("checkbox").click();
  await row(page, `${name}b`).hover();
  await page.keyboard.press("a");
  await page.getByText("Archived 1 link", { exact: true }).waitFor();
  await row(page, `${name}b`).waitFor();
  await row(page, `${name}a`).waitFor({ state: "detached" });
});
