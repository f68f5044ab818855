import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { startReceiver, type Receiver } from "../../e2e/support/receiver.ts";
import { createLink, expectNoBarriers, post, undo } from "../support/dashboard.ts";
import { chooseByKeys, tabTo } from "../support/keyboard.ts";
import { openSignedIn } from "../support/visits.ts";

let receiver: Receiver;
beforeAll(async () => {
  // Fails at /down until a test mends it.
  receiver = await startReceiver((response, { path }) => {
    response.statusCode = path.startsWith("/down") && !mended.has(path) ? 500 : 200;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ error: "the database is down" }));
  });
});
afterAll(() => receiver?.stop());

const mended = new Set<string>();

async function createWebhook(context: BrowserContext, path: string, fields: object = {}): Promise<string> {
  const body = { url: `${receiver.origin}${path}`, events: ["link.create"], ...fields };
  const { webhook } = (await post(context, "/api/webhooks", body)) as { webhook: { id: string } };
  return webhook.id;
}

const arrivalsAt = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === path);

async function confirmStored(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "I have stored it in a safe place" }).check();
  await page.getByRole("button", { name: "Done" }).click();
}

/** How long an event may take to arrive. */
const POLL = { timeout: 20_000 };

it("creates a webhook, pings it, edits it, turns it off and on, rotates its secret and deletes it", async () => {
  const { page, context } = await openSignedIn();
  await createLink(context, { slug: `hooked${process.pid}`, tags: ["sale"] });
  await page.goto("/app/settings/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL", { exact: true }).fill("http://10.0.0.1/hooks");
  await dialog.getByText("Only some links").click();
  await dialog.getByLabel("Links with one of these tags").fill("sale,");
  await dialog.getByLabel("These links").fill(`hooked${process.pid}`);
  await dialog.getByRole("button", { name: new RegExp(`^Add .*hooked${process.pid}$`) }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByText(fieldFaults.private_host).waitFor();
  await dialog.getByLabel("URL", { exact: true }).fill(`${receiver.origin}/mouse`);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("dialog", { name: "Copy the signing secret now" }).waitFor();
  const secret = await dialog.getByRole("region", { name: "Signing secret" }).innerText();
  expect(secret).toMatch(/^whsec_/);
  await expectNoBarriers(page);
  await confirmStored(page);

  await page.getByRole("link", { name: `${receiver.origin}/mouse` }).click();
  await page.getByText("tagged sale + 1 single link").waitFor();
  await page.getByRole("button", { name: "Send test ping" }).click();
  await page.getByText("Your receiver answered with 200.").waitFor();
  expect(arrivalsAt("/mouse")).toMatchObject([{ headers: { "x-service-event": "webhook.test" } }]);
  await page.getByRole("button", { name: /webhook\.test/ }).waitFor();
  await expectNoBarriers(page);

  // The page of the link and the dialog show the same link from the cache.
  await page.getByRole("link", { name: "Links", exact: true }).click();
  await page.getByRole("link", { name: new RegExp(`hooked${process.pid}`) }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await page.getByRole("link", { name: `${receiver.origin}/mouse` }).click();

  const more = page.getByRole("button", { name: "More actions" });
  await more.click();
  await page.getByRole("menuitem", { name: "Edit webhook" }).click();
  await dialog.getByRole("button", { name: new RegExp(`^Remove .*hooked${process.pid}$`) }).waitFor();
  await dialog.getByText("All links").click();
  await dialog.getByRole("checkbox", { name: "A link expires" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("link.expired", { exact: true }).first().waitFor();
  await undo(page);
  await page.getByText("tagged sale + 1 single link").waitFor();

  await more.click();
  await page.getByRole("menuitem", { name: "Turn off" }).click();
  await page.getByText("This webhook is off.").waitFor();
  await expectNoBarriers(page);
  await undo(page);
  await page.getByText("This webhook is off.").waitFor({ state: "detached" });

  await more.click();
  await page.getByRole("menuitem", { name: "Rotate the secret" }).click();
  await dialog.getByText("For 24 hours both secrets sign every delivery").waitFor();
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("dialog", { name: "Copy the signing secret now" }).waitFor();
  expect(await dialog.getByRole("region", { name: "Signing secret" }).innerText()).not.toBe(secret);
  await confirmStored(page);

  await more.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("No webhooks yet").waitFor();
});

it("shows deliveries with both bodies, and sends failed ones again (390 px)", async () => {
  const { page, context } = await openSignedIn({ width: 390 });
  const path = "/down";
  const id = await createWebhook(context, path);
  await page.goto(`/app/settings/webhooks/${id}`);
  await page.getByText("Nothing was sent yet.").waitFor();
  await createLink(context, { title: "Reported" });
  await page.getByRole("button", { name: /Waiting.*link\.create/ }).waitFor();
  await page.getByText(/^Failing: /).waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Send test ping" }).click();
  await page.getByText("Your receiver answered with 500").waitFor();
  await page.getByRole("region", { name: "Body of the answer" }).getByText("the database is down").waitFor();
  await expectNoBarriers(page);

  await page.getByLabel("Event", { exact: true }).selectOption("link.create");
  await page.getByRole("button", { name: /webhook\.test/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /link\.create/ }).click();
  const dialog = page.getByRole("dialog", { name: "Delivery of link.create" });
  await dialog.getByRole("region", { name: "Request body" }).getByText('"title": "Reported"').waitFor();
  await dialog.getByRole("region", { name: "Response body" }).getByText("the database is down").waitFor();
  await dialog.getByRole("region", { name: "Request headers" }).getByText("X-Service-Event: link.create").waitFor();
  await dialog.getByRole("cell", { name: /^500/ }).first().waitFor();
  await expectNoBarriers(page);

  mended.add(path);
  const before = arrivalsAt(path).length;
  await dialog.getByRole("button", { name: "Send again" }).click();
  await dialog.getByText("Delivered", { exact: true }).waitFor();
  expect(arrivalsAt(path).length).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByLabel("Status", { exact: true }).selectOption("failed");
  await page.getByText("No delivery matches.").waitFor();
  await page.getByRole("button", { name: "Send failed ones again" }).click();
  await expectNoBarriers(page);
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByText("Nothing had failed").first().waitFor();
});

it("goes through a webhook by the keyboard alone (dark)", async () => {
  const { page } = await openSignedIn({ theme: "dark" });
  await page.goto("/app/settings/webhooks");
  await tabTo(page, "button", "Create webhook");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type(`${receiver.origin}/keys`);
  await tabTo(page, "checkbox", "A domain is verified");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Copy the signing secret now" }).waitFor();
  await tabTo(page, "checkbox", "I have stored it in a safe place");
  await page.keyboard.press("Space");
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await tabTo(page, "link", `${receiver.origin}/keys`);
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Send test ping");
  await page.keyboard.press("Enter");
  await expect.poll(() => arrivalsAt("/keys").length, POLL).toBe(1);
  await tabTo(page, "button", "Close the answer");
  await page.keyboard.press("Enter");

  await tabTo(page, "button", "More actions");
  await page.keyboard.press("Enter");
  await chooseByKeys(page, "Turn off");
  await page.getByText("This webhook is off.").waitFor();
  await undo(page);
  await page.getByText("This webhook is off.").waitFor({ state: "detached" });

  const delivery = page.getByRole("button", { name: /Delivered.*webhook\.test/ });
  await delivery.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Request body" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it.each([1440, 390])("makes a webhook that sends messages to a chat service (%i px)", async (width) => {
  const { page } = await openSignedIn({ width });
  await page.goto("/app/settings/webhooks");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = page.getByRole("dialog");
  const url = dialog.getByLabel("URL", { exact: true });
  const format = (name: string) => dialog.getByRole("group", { name: "What is sent" }).getByLabel(name);
  expect(await format("Event").isChecked()).toBe(true);
  for (const [typed, service] of [
    ["https://hooks.slack.com/services/T0/B0/abc", "Slack"],
    ["https://discord.com/api/webhooks/1/abc", "Discord"],
    ["https://prod-1.westeurope.logic.azure.com/workflows/abc", "Teams"],
  ] as const) {
    await url.fill(typed);
    expect(await format(service).isChecked()).toBe(true);
  }
  await url.fill(`${receiver.origin}/chat`);
  expect(await format("Event").isChecked()).toBe(true);
  await format("Slack").check({ force: true });
  // What was chosen stays at the same service.
  await url.fill(`${receiver.origin}/chat${width}`);
  await dialog.getByText("Use the URL of an incoming webhook of Slack.").waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("dialog", { name: "Copy the signing secret now" }).waitFor();
  await confirmStored(page);
  await page.getByRole("link", { name: `${receiver.origin}/chat${width}` }).click();
  await page.getByText("Slack", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Send test ping" }).click();
  await page.getByText("Your receiver answered with 200.").waitFor();
  const [arrival] = arrivalsAt(`/chat${width}`);
  expect(JSON.parse(arrival?.body ?? "")).toMatchObject({ text: expect.stringContaining("This is a test message") });
});
