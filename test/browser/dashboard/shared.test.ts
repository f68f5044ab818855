import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { BERLIN, click, PARIS, waitForClicks } from "../support/clicks.ts";
import { chooseAction, createLink, expectNoBarriers, post } from "../support/dashboard.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

/** A page of another site: `localhost`, where the service is, is another one than its address. */
let html = "";
const site = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(html));
beforeAll(() => new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve)));
afterAll(() => void site.close());

const PASSWORD = "tern in the wind";

/** A tag with two clicks that is shared with a password, in the dialog of its owner on a narrow screen. */
async function shareTag() {
  const { page, context } = await openSignedIn({ width: 390 });
  const { slug } = await createLink(context, { tags: ["sale"] });
  await click(slug, { place: BERLIN });
  await click(slug, { place: PARIS });
  await waitForClicks(context, 2);

  await page.goto("/app/analytics?tag=sale");
  await chooseAction(page, "Share");
  const dialog = page.getByRole("dialog", { name: "Shared pages" });
  await dialog.getByText("Nothing is shared yet.").waitFor();
  await dialog.getByLabel("Title").fill("Spring sale");
  await dialog.getByLabel("Password").fill("short");
  await dialog.getByRole("button", { name: "Create shared page" }).click();
  await dialog.getByText(fieldFaults.wrong_length({ min: 8, max: 128 })).waitFor();
  await dialog.getByLabel("Password").fill(PASSWORD);
  // By keyboard.
  await page.keyboard.press("Enter");
  await page.getByText("The shared page is ready, and its URL is copied.", { exact: true }).waitFor();
  await expectNoBarriers(page);
  return { page, dialog, url: await page.evaluate(() => navigator.clipboard.readText()) };
}

it("shows a shared tag to viewers who know the password (390 px)", async () => {
  const { url } = await shareTag();
  const viewer = await openVisit({ width: 390 });
  await viewer.page.goto(url);
  await viewer.page.getByRole("heading", { name: "This page is password-protected" }).waitFor();
  await expectNoBarriers(viewer.page);
  await viewer.page.getByLabel("Password").fill("wrong password");
  await viewer.page.keyboard.press("Enter");
  await viewer.page.getByText(/That is not the password/).waitFor();
  await viewer.page.getByLabel("Password").fill(PASSWORD);
  await viewer.page.keyboard.press("Enter");
  await viewer.page.getByRole("heading", { name: "Spring sale", level: 1 }).waitFor();
  await viewer.page.getByRole("button", { name: /^Clicks 2\b/ }).waitFor();
  // The totals are in a line, also where only one of them needs two lines.
  await viewer.page
    .getByText("0 before")
    .first()
    .evaluate((change) => (change.textContent = "0 in the period before"));
  const tops = ["Clicks", "Visitors", "Bots"].map(async (name) => {
    const box = await viewer.page.locator("main").getByText(name, { exact: true }).first().boundingBox();
    return box?.y;
  });
  expect(new Set(await Promise.all(tops)).size).toBe(1);
  await viewer.page.getByRole("button", { name: "Germany 1 50%" }).click();
  await viewer.page.getByRole("button", { name: /^Clicks 1\b/ }).waitFor();
  await viewer.page.keyboard.press("w");
  await viewer.page.getByRole("button", { name: "Period: Last 7 days" }).waitFor();
  expect(new URL(viewer.page.url()).search).toBe("?country=DE&interval=7d");
  expect(await viewer.page.getByRole("button", { name: "Live" }).count()).toBe(0);
  await viewer.page.getByRole("button", { name: "More actions" }).click();
  await viewer.page.getByRole("menu").waitFor();
  expect(await viewer.page.getByRole("menuitem").allInnerTexts()).toEqual(["Refresh", "Timeline (CSV)"]);
  await viewer.page.keyboard.press("Escape");
  await expectNoBarriers(viewer.page);

  // The password was entered too long ago.
  await viewer.context.clearCookies();
  await viewer.page.keyboard.press("n");
  await viewer.page.getByLabel("Password").fill(PASSWORD);
  await viewer.page.keyboard.press("Enter");
  await viewer.page.getByRole("button", { name: /^Clicks 1\b/ }).waitFor();
});

it("changes a shared page, undoes a change, and revokes it (390 px)", async () => {
  const { page, dialog, url } = await shareTag();
  await dialog.getByRole("button", { name: "Change this shared page" }).click();
  await page.getByRole("menuitem", { name: "Remove the password" }).click();
  await page.getByRole("dialog", { name: "Remove the password of this shared page?" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Remove the password" }).click();
  await page.getByText("The shared page has no password now.", { exact: true }).waitFor();
  const viewer = await openVisit({ width: 390 });
  await viewer.page.goto(url);
  await viewer.page.getByRole("heading", { name: "Spring sale", level: 1 }).waitFor();
  await dialog.getByRole("button", { name: "Change this shared page" }).click();
  await page.getByRole("menuitem", { name: "Change the title" }).click();
  await dialog.getByLabel("Title").last().fill("Summer sale");
  await page.keyboard.press("Enter");
  await dialog.getByText("Summer sale").waitFor();
  // The toasts are beside the dialog, so they have no role while it is open.
  await page.getByText("Undo", { exact: true }).click();
  await dialog.getByText("Spring sale").waitFor();
  await dialog.getByRole("button", { name: "Change this shared page" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("dialog", { name: "Revoke this shared page?" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Revoke" }).click();
  await dialog.getByText("Nothing is shared yet.").waitFor();

  await viewer.page.reload();
  await viewer.page.getByRole("heading", { name: "This page is not shared any more", level: 1 }).waitFor();
  await expectNoBarriers(viewer.page);
});

it("shows a shared link and its destination to a viewer", async () => {
  const owner = await openSignedIn();
  const { id, slug, shortUrl } = await createLink(owner.context);
  await click(slug, { place: PARIS });
  await waitForClicks(owner.context, 1);
  const body = await post(owner.context, "/api/shared-pages", { linkId: id, showDestination: true });
  const { page } = await openVisit({ theme: "dark", width: 768 });
  await page.goto((body as { sharedPage: { url: string } }).sharedPage.url);
  await page.getByRole("heading", { name: shortUrl.replace("http://", ""), level: 1 }).waitFor();
  await page.getByText("https://example.com/spring?ref=poster").waitFor();
  await page.getByRole("button", { name: /^Clicks 1\b/ }).waitFor();
  await expectNoBarriers(page);
});

it("is shown in a frame of another site, but not with a password", async () => {
  const { page, dialog } = await shareTag();
  await dialog.getByRole("button", { name: "Embed" }).click();
  await dialog.getByText(/A page with a password cannot be embedded/).waitFor();
  await expectNoBarriers(page);
  const { sharedPage: withPassword } = (await post(page.context(), "/api/shared-pages", {
    tag: "sale",
    password: PASSWORD,
  })) as Shared;
  const { sharedPage: open } = (await post(page.context(), "/api/shared-pages", {
    tag: "sale",
    title: 'The "sale"',
  })) as Shared;
  await page.reload();
  await chooseAction(page, "Share");
  const item = dialog.getByRole("listitem").filter({ hasText: 'The "sale"' });
  await item.getByRole("button", { name: "Embed" }).click();
  await item.getByRole("button", { name: "Copy the HTML" }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain(open.url.replace("/shared/", "/embed/"));
  expect(code).toContain('title="The &quot;sale&quot;"');
  await expectNoBarriers(page);

  const blog = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const viewer = await openVisit({
    width: 768,
    expectedProblems: /frame-ancestors|401|ERR_BLOCKED_BY_RESPONSE|127\.0\.0\.1/,
  });
  const show = async (code: string) => {
    html = `<!doctype html><title>Blog</title>${code}`;
    await viewer.page.goto(blog);
    return viewer.page.frameLocator("iframe");
  };
  const shown = await show(code);
  await shown.getByRole("heading", { name: 'The "sale"', level: 1 }).waitFor();
  await shown.getByRole("button", { name: /^Clicks 2\b/ }).waitFor();
  expect(await shown.getByRole("banner").count()).toBe(0);
  const addresses = await shown
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).target));
  expect(new Set(addresses)).toEqual(new Set(["_blank"]));
  const locked = await show(code.replace(tokenOf(open), tokenOf(withPassword)));
  await locked.getByText(/Open it in a tab of its own/).waitFor();
  // The page itself is not for frames.
  await show(code.replace("/embed/", "/shared/"));
  await expect.poll(() => viewer.page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
});

interface Shared {
  sharedPage: { url: string };
}

const tokenOf = ({ url }: Shared["sharedPage"]): string => url.split("/").at(-1) ?? "";

it("chooses a tag beforehand only for a view of this tag alone, and names what the page will show", async () => {
  const { page, context } = await openSignedIn();
  await createLink(context, { tags: ["autumn"] });
  await createLink(context, { tags: ["sale"] });
  const dialog = page.getByRole("dialog", { name: "Shared pages" });
  const tag = dialog.getByRole("combobox", { name: "Tag" });
  const open = async (query: string) => {
    await page.goto(`/app/analytics${query}`);
    await chooseAction(page, "Share");
    // The tags are there.
    await tag.locator("option", { hasText: "sale" }).waitFor({ state: "attached" });
    return tag.inputValue();
  };
  for (const query of ["", "?tag=sale&country=DE", "?tag=sale&tag=autumn", "?tag=!sale"])
    expect(await open(query), query).toBe("");
  // The browser asks for the tag.
  await dialog.getByRole("button", { name: "Create shared page" }).click();
  expect(await tag.evaluate((select) => select.matches(":invalid"))).toBe(true);
  await tag.selectOption("sale");
  await dialog.getByText("The page shows the clicks of all links with the tag “sale”.", { exact: false }).waitFor();

  await open("?tag=sale&interval=7d");
  await expect.poll(() => tag.inputValue()).toBe("sale");
  await dialog.getByText("Those of this view are not shared.", { exact: false }).waitFor();
});
