import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { post, tokenOf, undo } from "../support/dashboard.ts";
import { tabTo } from "../support/keyboard.ts";
import { openSignedIn } from "../support/visits.ts";

// Settings without a mouse. Other pages have such a test in their own file.

/** Moves to the control by Tab, and presses Enter. */
async function press(page: Page, role: "button" | "link", name: string): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press("Enter");
}

/** Moves to the field by Tab, and replaces what it contains. */
async function write(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, "textbox", name);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();

it("changes names and templates by keyboard alone", async () => {
  const { page } = await openSignedIn({ theme: "dark" });
  await page.goto("/app/settings/person");
  await write(page, "Name", "Zoë Park");
  await page.keyboard.press("Enter");
  await shows(page, "Your name is changed");
  // In a field, the key takes back what was typed.
  await tabTo(page, "button", "Change address");
  await undo(page);
  await expect.poll(() => page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Ann Lee");

  await page.goto("/app/settings/general");
  await write(page, "Name of the account", "Zoë's shop");
  await page.keyboard.press("Enter");
  await shows(page, "Name saved");

  await page.goto("/app/settings/templates");
  await press(page, "button", "Create template");
  await page.getByRole("dialog").waitFor();
  await write(page, "Name", "Newsletter");
  await write(page, /^Source/, "mail");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press(page, "button", "Delete: Newsletter");
  await shows(page, "No templates yet");
  await undo(page);
  await shows(page, "utm_source=mail");
});

it("manages a team by keyboard alone", async () => {
  const { page } = await openSignedIn({ theme: "dark" });
  const { person: bob, context } = await openSignedIn({ name: "Bob Baker" });
  await page.goto("/app/settings/team");
  await write(page, "Name of the team", "Acme");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Members" }).waitFor();
  await write(page, "E-mail address", bob.email);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Take back: ${bob.email}` }).waitFor();
  await post(context, "/api/teams/invitations/accept", { token: await tokenOf(bob.email, "invitation") }, 200);
  await page.reload();
  await tabTo(page, "combobox", "Role of Bob Baker");
  await page.keyboard.press("v");
  await shows(page, "Bob Baker is viewer now");
  await undo(page);
  await expect.poll(() => page.getByLabel("Role of Bob Baker").inputValue()).toBe("member");
  await press(page, "button", "Delete team");
  await page.getByRole("dialog").waitFor();
  await write(page, "Type the name of the team to confirm: Acme", "Acme");
  await press(page, "button", "Delete team");
  await page.getByRole("heading", { name: "Deleted teams" }).waitFor();
  await press(page, "button", "Restore: Acme");
  await page.getByRole("button", { name: "Switch to Acme" }).waitFor();
});

it("adds and deletes a domain by keyboard alone", async () => {
  const { page } = await openSignedIn({ theme: "dark" });
  const name = `keys${process.pid}.acme.com`;
  await page.goto("/app/settings/domains");
  await press(page, "button", "Add domain");
  await page.getByRole("dialog").waitFor();
  await write(page, "Domain", name);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await press(page, "button", "Copy the value of the TXT record");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^tern-verification=/);
  await press(page, "button", "Check now");
  await shows(page, "No record there yet");
  await press(page, "button", "Delete domain");
  await page.getByRole("dialog").waitFor();
  await press(page, "button", "Delete domain");
  await shows(page, "No domain of your own yet");
});

it("shows what Tab reaches beside the bars of a narrow window", async () => {
  const { page } = await openSignedIn({ width: 390, height: 640 });
  await page.goto("/app/settings/general");
  await page.getByRole("heading", { name: "Usage" }).waitFor();
  /** Whether what has the focus is the top layer in its middle. Labels lie over some controls. */
  const isInSight = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      return there !== null && (focused.contains(there) || there.contains(focused)) ? "" : focused.outerHTML;
    });
  const hidden: (string | null)[] = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    hidden.push(await isInSight());
  }
  expect(hidden.filter((each) => each !== "" && each !== null)).toEqual([]);
  expect(hidden.filter((each) => each === "").length).toBeGreaterThan(10);
});
