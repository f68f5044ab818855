import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers, ORIGIN, post, tokenOf, undo } from "../support/dashboard.ts";
import { createTeam, joinTeam } from "../support/people.ts";
import { openSignedIn } from "../support/visits.ts";

/** How long a value may take to change. */
const POLL = { timeout: 20_000 };

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
const toast = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).first().waitFor();

async function openSettings(page: Page, section: string, title: string): Promise<void> {
  await page.goto(`/app/settings/${section}`);
  await heading(page, title);
}

/** Makes the pages of this browser context act for the account. */
async function actFor(page: Page, accountId: string): Promise<void> {
  await page.addInitScript((id) => localStorage.setItem("account", id), accountId);
}

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("changes the name and the defaults of new links, and undoes it (%s, %i px)", async (theme, width) => {
  const { page, context } = await openSignedIn({ theme, width });
  await openSettings(page, "", "General");
  await page.getByRole("meter", { name: "Links", exact: true }).waitFor();
  await expectNoBarriers(page);

  await page.getByLabel("Name of the account").fill("Ann's shop");
  await page.getByRole("button", { name: "Save" }).first().click();
  await toast(page, "Name saved");
  await undo(page);
  await expect.poll(() => page.getByLabel("Name of the account").inputValue(), POLL).toBe("Ann Lee");

  await page.getByLabel("Redirect status").selectOption("307");
  await page.getByRole("combobox", { name: "Tags" }).fill("sale");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove sale" }).waitFor();
  await page.getByRole("combobox", { name: "Tags" }).fill("spring");
  await page.getByRole("button", { name: "Save" }).nth(1).click();
  await toast(page, "Defaults saved");
  await expectNoBarriers(page);
  expect(await createLink(context)).toMatchObject({ redirectStatus: 307, tags: ["sale", "spring"] });
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByRole("button", { name: "Remove sale" }).waitFor({ state: "detached" });
  expect(await createLink(context)).toMatchObject({ redirectStatus: 302, tags: [] });
});

it.each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "asks before it keeps single clicks for a shorter time, and says what is deleted (%s, %i px)",
  async (theme, width) => {
    const { page, context } = await openSignedIn({ theme, width });
    const chosen = async () => {
      const { account } = (await (await context.request.get("/api/account")).json()) as {
        account: { clickRetentionDays: number | null; clickRetention: { keptFrom: number } };
      };
      return account;
    };
    await openSettings(page, "", "General");
    const section = page.locator("section").filter({ hasText: "How long single clicks are kept" });
    const days = section.getByLabel("Days");
    const save = section.getByRole("button", { name: "Save" });
    const dialog = page.getByRole("dialog");
    await section.getByText("From 7 to 90. An empty field means 90.").waitFor();
    expect(await save.isDisabled()).toBe(true);

    // The browser refuses what the service would.
    await days.fill("91");
    await save.click();
    expect(await days.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);

    await days.fill("30");
    await save.click();
    await dialog.getByText("Keep single clicks for 30 days only?").waitFor();
    const { keptFrom } = (await chosen()).clickRetention;
    const from = await page.evaluate(
      (at) => new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "short" }).format(at),
      keptFrom + 60 * 86_400_000,
    );
    await dialog.getByText(`Single clicks from before ${from} are deleted for good within minutes.`).waitFor();
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await chosen()).clickRetentionDays).toBeNull();
    await save.click();
    await dialog.getByRole("button", { name: "Delete older clicks" }).click();
    await toast(page, "Single clicks are kept for 30 days");
    expect((await chosen()).clickRetentionDays).toBe(30);

    // A longer time deletes nothing.
    await days.fill("");
    await save.click();
    await toast(page, "Single clicks are kept for 90 days");
    expect((await chosen()).clickRetentionDays).toBeNull();
    await expectNoBarriers(page);
    await openSettings(page, "audit", "Audit log");
    await page.getByText("single clicks are kept for 30 days, before for the default number of days").first().waitFor();
  },
);

it("manages UTM templates, with undo of each change", async () => {
  const { page, context } = await openSignedIn();
  await openSettings(page, "templates", "UTM templates");
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Create template" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Newsletter");
  await dialog.getByLabel("Source").fill("newsletter");
  await dialog.getByLabel("Medium").fill("email");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("utm_source=newsletter utm_medium=email").waitFor();

  await page.getByRole("button", { name: "Edit: Newsletter" }).click();
  await dialog.getByLabel("Name").fill("Weekly");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Weekly", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("Newsletter", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Delete: Newsletter" }).click();
  await page.getByText("No templates yet").waitFor();
  await undo(page);
  await page.getByText("utm_source=newsletter utm_medium=email").waitFor();
  await post(context, "/api/utm-templates", { name: "Taken", utm: { source: "x" } });
  await page.getByRole("button", { name: "Create template" }).click();
  await dialog.getByLabel("Name").fill("taken");
  await dialog.getByLabel("Source").fill("kept while wrong");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").first().waitFor();
  expect(await dialog.getByLabel("Source").inputValue()).toBe("kept while wrong");
});

it("creates a team, invites, changes roles, hands over, deletes and restores it", async () => {
  const { page } = await openSignedIn();
  const { person: bob, context } = await openSignedIn({ name: "Bob Baker" });
  await openSettings(page, "team", "Team");
  await expectNoBarriers(page);
  await page.getByLabel("Name of the team").fill("Acme Marketing");
  await page.getByRole("button", { name: "Create team" }).click();
  await page.getByRole("heading", { name: "Members" }).waitFor();
  await expectNoBarriers(page);

  await page.getByLabel("E-mail address").fill("wrong@example.com");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("button", { name: "Take back: wrong@example.com" }).waitFor();
  await undo(page);
  await page.getByText("No invitation is pending.").waitFor();
  await page.getByLabel("E-mail address").fill(bob.email);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("button", { name: `Take back: ${bob.email}` }).waitFor();
  await post(context, "/api/teams/invitations/accept", { token: await tokenOf(bob.email, "invitation") }, 200);

  await page.reload();
  await page.getByLabel("Role of Bob Baker").selectOption("viewer");
  await toast(page, "Bob Baker is viewer now");
  await undo(page);
  await expect.poll(() => page.getByLabel("Role of Bob Baker").inputValue(), POLL).toBe("member");
  await expectNoBarriers(page);

  await page.getByRole("checkbox", { name: "Members need a second factor" }).click();
  await page.getByRole("alert").filter({ hasText: "second factor" }).waitFor();

  await page.getByRole("button", { name: "Delete team" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Acme Marketing");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await page.getByRole("heading", { name: "Deleted teams" }).waitFor();
  await page.getByRole("button", { name: "Restore: Acme Marketing" }).click();
  await page.getByRole("button", { name: "Switch to Acme Marketing" }).click();

  await page.getByLabel("New owner").selectOption({ label: `Bob Baker (${bob.email})` });
  await page.getByRole("button", { name: "Hand over" }).click();
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await page.getByRole("button", { name: "Delete team" }).waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: "Remove: Bob Baker" }).isDisabled(), POLL).toBe(true);

  await page.getByRole("button", { name: "Leave team" }).click();
  await dialog.getByRole("button", { name: "Leave team" }).click();
  await page.getByRole("heading", { name: "Create a team" }).waitFor();
});

it.each([
  ["viewer", "dark"],
  ["member", "light"],
] as const)("shows a %s only what the role may read, and why it may not change it", async (role, theme) => {
  const owner = await openSignedIn();
  const teamId = await createTeam(owner.context, "Acme");
  const { page, context, person } = await openSignedIn({ theme, name: "Bob Baker" });
  await joinTeam(owner.context, teamId, { context, person }, role);
  await actFor(page, teamId);

  await openSettings(page, "general", "General");
  await page.getByText("Changes need the role owner.").waitFor();
  expect(await page.getByLabel("Name of the account").isDisabled()).toBe(true);
  const navigation = page.getByRole("navigation", { name: "Settings" });
  expect(await navigation.getByRole("link").allInnerTexts()).toEqual([
    "Name and address",
    "Sign-in and security",
    "General",
    "Team",
    "Domains",
    "Connected apps",
    "Tags",
    "UTM templates",
    "Reports by mail",
  ]);
  await expectNoBarriers(page);

  await navigation.getByRole("link", { name: "Domains" }).click();
  await page.getByText("Changes need the role owner or admin.").waitFor();
  expect(await page.getByRole("button", { name: "Add domain" }).isDisabled()).toBe(true);
  await expectNoBarriers(page);
  await navigation.getByRole("link", { name: "UTM templates" }).click();
  await heading(page, "UTM templates");
  expect(await page.getByRole("button", { name: "Create template" }).isDisabled()).toBe(role === "viewer");
  await navigation.getByRole("link", { name: "Team" }).click();
  await page.getByRole("button", { name: "Leave team" }).waitFor();
  expect(await page.getByRole("combobox").count()).toBe(0);
  await page.goto("/app/settings/keys");
  await page.getByText("Your role does not include this").waitFor();
  await expectNoBarriers(page);
});

it("lists the audit log in sentences, page by page", async () => {
  const { page, context } = await openSignedIn({ theme: "dark" });
  await post(context, "/api/keys", { name: "Shop" });
  await post(context, "/api/domains/add", { domain: "audit.example.com" });
  const { id } = await createLink(context);
  await post(context, "/api/shared-pages", { linkId: id });
  const first = { url: "https://example.com/hooks/first", events: ["link.create"] };
  const { webhook } = (await post(context, "/api/webhooks", first)) as { webhook: { id: string } };
  const changed = await context.request.patch(`/api/webhooks/${webhook.id}`, {
    data: { url: "https://example.com/hooks/second" },
    headers: { Origin: ORIGIN },
  });
  expect(changed.status()).toBe(200);
  await post(context, "/api/exports", { kind: "links", format: "csv" }, 202);
  // The export itself records its start.
  await expect
    .poll(async () => (await context.request.get("/api/account/audit")).text(), POLL)
    .toContain('"export.create"');
  await openSettings(page, "audit", "Audit log");
  await page.getByText("Ann Lee created the API key “Shop”").waitFor();
  await page.getByText("Ann Lee added the domain audit.example.com").waitFor();
  await page.getByText("Ann Lee signed up").waitFor();
  await page.getByText("Ann Lee created the shared page").waitFor();
  // Later changes leave an entry as it was.
  await page.getByText("Ann Lee created the webhook https://example.com/hooks/first", { exact: true }).waitFor();
  await page.getByText("Ann Lee changed the webhook https://example.com/hooks/first", { exact: true }).waitFor();
  await page.getByRole("cell", { name: "Ann Lee started an export", exact: true }).waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("What", { exact: true }).selectOption("API keys");
  await page.getByText("Ann Lee signed up").waitFor({ state: "hidden" });
  await page.getByText("Ann Lee created the API key “Shop”").waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("audit.csv");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await page.getByText("Nothing matches").waitFor();
  await expectNoBarriers(page);
  await page.goto("/app/settings/nothing");
  await page.getByText("There is no such section").waitFor();
  await expectNoBarriers(page);
});
