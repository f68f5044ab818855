import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startReceiver, type Receiver } from "../../e2e/support/receiver.ts";
import { expectNoBarriers, post, undo } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver((response) => response.end("ok"));
});
afterAll(() => receiver?.stop());

const dialogOf = (page: Page) => page.getByRole("dialog");
const fieldOf = (page: Page, event: string) =>
  dialogOf(page).getByRole("textbox", { name: `Text of the message: ${event}` });
/** The preview of the only message that is open. */
const previewOf = (page: Page) =>
  dialogOf(page).getByRole("group", { name: "Preview with an example" }).filter({ visible: true });

/** A dialog of a phone must not be wider than its screen. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const isWider = (part: Element) => part.scrollWidth > part.clientWidth + 1;
  expect(await dialogOf(page).locator("form").evaluate(isWider)).toBe(false);
}

it.each([
  [1280, "light"],
  [390, "dark"],
] as const)("writes the text of a message with placeholders and a preview (%i px, %s)", async (width, theme) => {
  const { page } = await openSignedIn({ width, theme });
  await page.goto("/app/settings/webhooks");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("URL", { exact: true }).fill(`${receiver.origin}/chat${width}`);
  expect(await dialog.getByText("Messages", { exact: true }).count()).toBe(0);
  await dialog.getByRole("group", { name: "What is sent" }).getByLabel("Discord").check({ force: true });

  // Without a text, the preview is the message of the service.
  await dialog.locator("summary", { hasText: "A link is created" }).click();
  await previewOf(page).getByText("A link was created").waitFor();
  const field = fieldOf(page, "A link is created");
  await field.fill("**New:**  by the shop");
  await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(9, 9));
  await dialog.getByRole("button", { name: "Insert placeholder" }).click();
  await page.getByRole("menuitem", { name: "link.title Spring sale" }).click();
  expect(await field.inputValue()).toBe("**New:** {{link.title}} by the shop");
  expect(await field.evaluate((area) => document.activeElement === area)).toBe(true);
  await page.keyboard.type("!");
  expect(await field.inputValue()).toBe("**New:** {{link.title}}! by the shop");
  expect(await previewOf(page).innerText()).toBe("New: Spring sale! by the shop");
  expect(await previewOf(page).locator("strong").innerText()).toBe("New:");
  await expectNoBarriers(page);
  await expectNoSidewaysScrolling(page);

  await field.fill("{{link.titel}}");
  await dialog.getByLabel("URL", { exact: true }).focus();
  await dialog.getByText("{{link.titel}} is no placeholder of this event. Insert one of the list.").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await field.waitFor();
  await expectNoBarriers(page);
  await field.fill("[{{link.title}}]({{link.shortUrl}}) is new");
  await dialog.getByText("is no placeholder of this event").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("dialog", { name: "Copy the signing secret now" }).waitFor();
  await page.getByRole("checkbox", { name: "I have stored it in a safe place" }).check();
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: `${receiver.origin}/chat${width}` }).click();
  await page.getByText("Own text").waitFor();
  await page.getByRole("button", { name: "Send test ping" }).click();
  await page.getByText("Your receiver answered with 200.").waitFor();
  const arrival = receiver.arrivals.find(({ path }) => path === `/chat${width}`);
  expect((JSON.parse(arrival?.body ?? "") as { content: string }).content).toMatch(
    /\[Spring sale\]\(<https:\/\/go\.example\/Spring-26>\) is new$/,
  );
});

it("keeps the texts of events that are chosen, and undo brings them back", async () => {
  const { page, context } = await openSignedIn();
  const templates = { "link.create": "New: {{link.slug}}", "link.delete": "Gone: {{link.slug}}" };
  const { webhook } = (await post(context, "/api/webhooks", {
    url: `${receiver.origin}/kept`,
    events: ["link.create", "link.delete"],
    format: "slack",
    templates,
  })) as { webhook: { id: string } };
  await page.goto(`/app/settings/webhooks/${webhook.id}`);
  await page.getByText("link.create, link.delete").waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit webhook" }).click();
  const dialog = dialogOf(page);
  await dialog.locator("summary", { hasText: "A link is deleted" }).getByText("Own text").waitFor();
  await dialog.getByRole("checkbox", { name: "A link is deleted" }).uncheck();
  await dialog.locator("summary", { hasText: "A link is created" }).click();
  await fieldOf(page, "A link is created").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Own text").waitFor({ state: "detached" });
  await undo(page);
  await page.getByText("link.create, link.delete").waitFor();
});
