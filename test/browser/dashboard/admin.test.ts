import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { database } from "../support/database.ts";
import { addApp } from "../support/people.ts";
import { openSignedIn, openVisit, type Visit } from "../support/visits.ts";

// What visitors report, operators decide, and owners say against it.

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();

/** Makes a person an operator, as whoever runs the service does. */
async function makeOperator(email: string): Promise<void> {
  const sql = "INSERT INTO operators (user_id, added_at) SELECT id, ?2 FROM users WHERE email = ?1";
  await database.batch([database.prepare(sql).bind(email, Date.now())]);
}

/** Reports a link by the form, without JavaScript. Returns the visit, which shows the receipt. */
async function report(shortUrl: string): Promise<Visit> {
  const visit = await openVisit({ javaScript: false });
  const { page } = visit;
  await page.goto(new URL(`${shortUrl}+`).pathname);
  await page.getByRole("link", { name: "Report abuse" }).click();
  expect(await page.getByLabel("Short link").inputValue()).toBe(shortUrl);
  await page.getByLabel("What is wrong with it?").selectOption("phishing");
  await page.getByLabel("What did you see?").fill("It asks for the password of my bank.");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await heading(page, "Your report");
  return visit;
}

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("has a form and a receipt without barriers (%s, %i px)", async (theme, width) => {
  const { context } = await openSignedIn();
  const { shortUrl } = await createLink(context);
  const { page } = await openVisit({ theme, width });
  await page.goto(`/abuse?url=${encodeURIComponent(shortUrl)}`);
  await expectNoBarriers(page);
  await page.getByLabel("What is wrong with it?").selectOption("spam");
  await page.getByLabel("Short link").fill(`${shortUrl}-unknown`);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await page.getByText("There is no short link with this address here.").waitFor();
  await expectNoBarriers(page);
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByLabel("Short link").fill(shortUrl);
  await page.getByRole("button", { name: "Send report" }).click();
  await heading(page, "Your report");
  await expectNoBarriers(page);
});

it("decides a report and an appeal in the console, which others do not have", async () => {
  const operator = await openSignedIn({ name: "Olivia" });
  const owner = await openSignedIn({ theme: "dark", width: 390 });
  await owner.page.goto("/app/admin");
  await heading(owner.page, "There is no such page");
  await expectNoBarriers(owner.page);
  await makeOperator(operator.person.email);
  const { page } = operator;
  await page.goto("/app/admin");
  await heading(page, "Operators need a second factor");
  await expectNoBarriers(page);
  await addApp(operator.context);

  const { shortUrl } = await createLink(owner.context, { url: "https://bank.example/sign-in" });
  const reporter = await report(shortUrl);
  await page.goto("/app/admin");
  await heading(page, "Administration");
  const row = page.getByRole("listitem").filter({ hasText: shortUrl });
  await row.getByText("https://bank.example/sign-in").waitFor();
  await row.getByText("It asks for the password of my bank.").waitFor();
  await row.getByRole("link", { name: owner.person.name }).waitFor();
  await expectNoBarriers(page);
  await row.getByRole("button", { name: "Take down…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Statement").fill("It imitates a bank.");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Take down" }).click();
  // A dialog hides what is behind it.
  await dialog.waitFor({ state: "detached" });
  await row.waitFor({ state: "detached" });
  await reporter.page.reload();
  await reporter.page.getByText("the link was blocked").waitFor();

  await owner.page.goto("/app/settings/takedowns");
  await owner.page.getByText("It imitates a bank.").waitFor();
  await expectNoBarriers(owner.page);
  await owner.page.getByRole("button", { name: "Appeal…" }).click();
  await owner.page.getByLabel("Why is it a mistake?").fill("We are\nthe bank.");
  await owner.page.getByRole("button", { name: "Send appeal" }).click();
  await owner.page.getByText("Nobody has decided yet.").waitFor();

  await page.getByRole("link", { name: "Appeals", exact: true }).click();
  await page.getByText("We are the bank.").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Decide…" }).click();
  await dialog.getByLabel("Decision").selectOption("reverse");
  await dialog.getByRole("button", { name: "Decide" }).click();
  await page.getByText("No appeals here").waitFor();
  await page.getByRole("link", { name: "Takedowns", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: shortUrl }).getByText("Reversed").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Record", exact: true }).click();
  await page.getByText(`reversed after an appeal: ${shortUrl}`).waitFor();
  await expectNoBarriers(page);
});

it("dismisses many reports at once", async () => {
  const { context, page, person } = await openSignedIn();
  await makeOperator(person.email);
  await addApp(context);
  const { shortUrl } = await createLink(context);
  const reporter = await report(shortUrl);
  await page.goto("/app/admin");
  const row = page.getByRole("listitem").filter({ hasText: shortUrl });
  const choose = row.getByLabel(`Choose the report of ${shortUrl}`);
  await choose.check();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Dismiss 1 chosen" }).waitFor();
  await page.getByLabel("Choose all that are shown").check();
  await page.getByRole("button", { name: /^Dismiss \d+ chosen$/ }).click();
  await page.getByText("No reports here").waitFor();
  await reporter.page.reload();
  await reporter.page.getByText("it stays as it is").waitFor();
});

it("finds accounts, links and hosts, and shows the state of the service, to operators", async () => {
  const owner = await openSignedIn({ name: "Olga" });
  const operator = await openSignedIn({ name: "Otto", theme: "dark", width: 1024, expectedProblems: /409/ });
  const secret = `https://secret-${process.pid}.example/sale`;
  const { shortUrl, slug } = await createLink(owner.context, { url: secret, password: "tern in the wind" });
  await makeOperator(operator.person.email);
  await addApp(operator.context);
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  const open = async (section: string) => {
    await page.getByRole("link", { name: section, exact: true }).last().click();
    await page.getByRole("heading", { name: section, level: 2 }).waitFor({ state: "attached" });
  };
  await page.goto("/app/links");
  await page.getByRole("button", { name: /Otto/ }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await heading(page, "Administration");

  await open("Links");
  await page.getByRole("searchbox").fill(slug);
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: shortUrl });
  await row.getByText(secret).waitFor();
  await row.getByText("Password").waitFor();
  await expectNoBarriers(page);
  await row.getByRole("button", { name: "Take down…" }).click();
  await dialog.getByLabel("Reason").selectOption("spam");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await row.getByText("Blocked").waitFor();
  await row.getByRole("link").click();

  const account = page.getByRole("listitem").filter({ hasText: owner.person.email });
  await account.getByText("1 link").waitFor();
  await expectNoBarriers(page);
  await account.getByRole("link", { name: "Links of Olga" }).click();
  await row.getByText(secret).waitFor();

  await open("Hosts");
  await page.getByRole("searchbox").fill(new URL(secret).host);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Take down…" }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Take down" }).click();
  await page.getByText("Taken down", { exact: true }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Reverse" }).click();
  await page.getByRole("button", { name: "Take down…" }).waitFor();
  await page.getByRole("button", { name: "Block…" }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Block" }).click();
  // This service screens nothing.
  await dialog.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await open("Screening");
  await page.getByRole("status").filter({ hasText: 'set SCREENING = "on" in deploy.toml' }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await expectNoBarriers(page);
  // As a service that screens.
  await page.route("**/api/admin/screening*", (route) => route.fulfill({ json: { rules: [], nextCursor: null } }));
  await page.reload();
  await page.getByRole("button", { name: "Add…" }).click();
  await dialog.getByLabel("What").selectOption("hosts");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Status", exact: true }).click();
  await page.getByText("Deliveries of webhooks").waitFor();
  await expectNoBarriers(page);
  // The sections are in one line, which shows the one that is open, also after another page.
  await page.reload();
  const sections = page.getByRole("navigation", { name: "Parts of the administration" });
  const status = sections.getByRole("link", { name: "Status", exact: true });
  await expect.poll(() => status.evaluate((link) => link.getBoundingClientRect().right < innerWidth)).toBe(true);
  expect((await sections.boundingBox())?.height).toBeLessThan(60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
