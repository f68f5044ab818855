import { expect, it } from "vitest";
import { connectApp } from "../support/apps.ts";
import { expectNoBarriers, ORIGIN } from "../support/dashboard.ts";
import { tabTo } from "../support/keyboard.ts";
import { createTeam, joinTeam } from "../support/people.ts";
import { openSignedIn } from "../support/visits.ts";

/** Whether the MCP server takes the token. */
async function statusOf(token: string): Promise<number> {
  const response = await fetch(`${ORIGIN}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return response.status;
}

it("says how to connect an assistant while there is none", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/settings/apps");
  await page.getByRole("heading", { name: "No app is connected" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Connect an assistant" }).click();
  const address = page.getByRole("figure").filter({ hasText: "Address of the MCP server" });
  await address.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${ORIGIN}/mcp`);
  await page.getByText(`claude mcp add --transport http tern ${ORIGIN}/mcp`).waitFor();

  const cursor = new URL((await page.getByRole("link", { name: "Add to Cursor" }).getAttribute("href")) ?? "");
  expect(cursor.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=tern&/);
  const config = Buffer.from(cursor.searchParams.get("config") ?? "", "base64").toString();
  expect(JSON.parse(config)).toEqual({ url: `${ORIGIN}/mcp` });
  const code = (await page.getByRole("link", { name: "Add to VS Code" }).getAttribute("href")) ?? "";
  const [start, server = ""] = code.split("?");
  expect(start).toBe("vscode:mcp/install");
  expect(JSON.parse(decodeURIComponent(server))).toEqual({ name: "tern", type: "http", url: `${ORIGIN}/mcp` });
});

it("lists what an app may do, and disconnects it by the keyboard alone (dark)", async () => {
  const { page, context } = await openSignedIn({ theme: "dark" });
  const token = await connectApp(context, { name: "Planner", scope: "links:read links:write" });
  expect(await statusOf(token)).toBe(200);
  await page.goto("/app/settings/apps");
  const list = page.getByRole("list", { name: "Your apps" });
  await list.getByRole("heading", { name: "Planner" }).waitFor();
  await list.getByText("read links, change links").waitFor();
  await list.getByText("Not verified").waitFor();
  await expectNoBarriers(page);
  await tabTo(page, "button", "Disconnect: Planner");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Disconnect “Planner”?" });
  await dialog.waitFor();
  await expectNoBarriers(page);
  await tabTo(page, "button", "Disconnect");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No app is connected" }).waitFor();
  expect(await statusOf(token)).toBe(401);

  await page.goto("/app/settings/audit");
  await page.getByRole("row", { name: /^Ann Lee connected the app “Planner”/ }).waitFor();
  await page.getByRole("row", { name: /^Ann Lee disconnected the app “Planner”/ }).waitFor();
});

it("shows members their own apps, and an admin those of the account (phone)", async () => {
  const owner = await openSignedIn({ name: "Olga Owner", width: 390, height: 844 });
  const teamId = await createTeam(owner.context);
  const member = await openSignedIn({ name: "Gus Hill" });
  const viewer = await openSignedIn({ name: "Vera Low" });
  await joinTeam(owner.context, teamId, member, "member");
  await joinTeam(owner.context, teamId, viewer, "viewer");
  await connectApp(owner.context, { name: "Planner", accountId: teamId });
  const token = await connectApp(member.context, { name: "Reporter", accountId: teamId, scope: "links:read" });
  for (const { page } of [owner, member, viewer]) {
    await page.addInitScript((id) => sessionStorage.setItem("account", id), teamId);
    await page.goto("/app/settings/apps");
  }
  await viewer.page.getByRole("heading", { name: "No app is connected" }).waitFor();
  await member.page.getByRole("heading", { name: "Reporter" }).waitFor();
  expect(await member.page.getByRole("heading", { name: "Planner" }).count()).toBe(0);
  expect(await member.page.getByRole("heading", { name: "Apps of other people" }).count()).toBe(0);

  const { page } = owner;
  await page.getByRole("list", { name: "Your apps" }).getByRole("heading", { name: "Planner" }).waitFor();
  const others = page.getByRole("list", { name: "Apps of other people" });
  await others.getByText(`by Gus Hill (${member.person.email})`).waitFor();
  await expectNoBarriers(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await others.getByRole("button", { name: "Disconnect: Reporter" }).click();
  await page.getByText("Gus Hill uses it.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  // The dialog hides the list behind it.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await others.waitFor({ state: "detached" });
  expect(await statusOf(token)).toBe(401);
});
