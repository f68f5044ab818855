import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { expectNoBarriers, post, undo } from "../support/dashboard.ts";
import { tabTo } from "../support/keyboard.ts";
import { openSignedIn } from "../support/visits.ts";

it("creates a key whose command works, changes it with undo, and revokes it", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/settings/keys");
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  await dialog.getByText("Custom").click();
  for (const group of ["Domains", "Webhooks", "API keys"]) {
    const boxes = dialog.getByRole("group", { name: group, exact: true });
    for (const box of await boxes.getByRole("checkbox").all()) await box.uncheck();
  }
  await dialog.getByLabel("Expires").selectOption("90");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Create key" }).click();

  await page.getByRole("dialog", { name: "Copy your key now" }).waitFor();
  const command = await dialog.getByRole("region", { name: "Try it in a terminal" }).innerText();
  const { stdout } = await promisify(execFile)("sh", ["-c", `${command} -s`]);
  expect(JSON.parse(stdout)).toMatchObject({ link: { url: "https://example.com/" } });
  await page.keyboard.press("Escape");
  await dialog.getByText("Copy it first").waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("checkbox", { name: "I have stored it in a safe place" }).check();
  await dialog.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Shop" }) });
  await row.getByText("read links, change links, read clicks, import, export and run bulk jobs").waitFor();
  await row.getByRole("button", { name: "Edit: Shop" }).click();
  await dialog.getByText("Read only").click();
  await dialog.getByLabel("Name").fill("Reports");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("read everything").waitFor();
  await undo(page);
  await row.getByText("read links, change links").waitFor();

  await row.getByRole("button", { name: "Revoke: Shop" }).click();
  await page.getByText("This cannot be undone.").waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await row.getByText("Revoked", { exact: true }).waitFor();
  const key = /svc_sk_live_[0-9a-f]{64}/.exec(command)?.[0] ?? "";
  const answer = await fetch(new URL("/api/keys/current", page.url()), { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(401);
});

it("creates and revokes keys by the keyboard alone, up to the limit (dark)", async () => {
  const { page, context } = await openSignedIn({ theme: "dark" });
  for (const name of ["One", "Two", "Three", "Four"]) await post(context, "/api/keys", { name });
  await page.goto("/app/settings/keys");
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  await tabTo(page, "button", "Create key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("Five");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Copy your key now" }).waitFor();
  await expectNoBarriers(page);
  await tabTo(page, "checkbox", "I have stored it in a safe place");
  await page.keyboard.press("Space");
  await tabTo(page, "button", "Done");
  await page.keyboard.press("Enter");
  await page.getByText("This account has 5 active keys, which is the maximum.").waitFor();
  expect(await page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  await expectNoBarriers(page);

  await tabTo(page, "button", "Revoke: Five");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Revoke key");
  await page.keyboard.press("Enter");
  await page.getByText("4 of 5 active keys").waitFor();
});

it("shows the requests with a key, and finds those that were refused", async () => {
  const { page, context } = await openSignedIn();
  const created = (await post(context, "/api/keys", { name: "Shop" })) as { key: { id: string; value: string } };
  await page.goto("/app/settings/keys");
  await page.getByRole("link", { name: "Requests with “Shop”" }).click();
  await page.getByRole("heading", { name: "API requests", level: 1 }).waitFor();
  await page.getByText("No such requests").waitFor();
  await expectNoBarriers(page);
  const ask = (method: string, path: string) =>
    fetch(new URL(path, page.url()), { method, headers: { Authorization: `Bearer ${created.key.value}` } });
  await ask("GET", "/api/tags");
  await ask("DELETE", `/api/links/${created.key.id}`);
  // The isolate sends them after some seconds, and the page reads the list again.
  await page.getByRole("row", { name: /^GET \/api\/tags .*200 Shop/ }).waitFor();
  await page.getByRole("row", { name: new RegExp(`^DELETE /api/links/${created.key.id} .*404 Shop`) }).waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("Status").selectOption("4xx");
  await page.getByRole("row", { name: "GET" }).waitFor({ state: "detached" });
  await page.getByRole("row", { name: "DELETE" }).waitFor();
  await page.getByLabel("Key").selectOption({ label: "All keys" });
  await page.getByRole("row", { name: "DELETE" }).waitFor();
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
});
