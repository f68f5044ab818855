import { expect, it } from "vitest";
import { createLink, expectNoBarriers, undo } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("saves, changes, opens and deletes a view of the list by keyboard (%s, %i px)", async (theme, width) => {
  const { page, context } = await openSignedIn({ theme, width });
  await createLink(context, { title: "On sale", tags: ["sale"] });
  await createLink(context, { title: "Other" });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const choose = async (opener: string, item: RegExp | string) => {
    await button(opener).press("Enter");
    await page
      .getByRole("menuitem", { name: item })
      .or(page.getByRole("menuitemcheckbox", { name: item }))
      .press("Enter");
  };
  await page.goto('/app/links?tags=["sale"]');
  await page.getByText("1 link", { exact: true }).waitFor();
  await choose("Views", "Save as a view…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Sales");
  await expectNoBarriers(page);
  // A personal account has nobody to share with.
  expect(await dialog.getByRole("checkbox").count()).toBe(0);
  await page.keyboard.press("Enter");
  await button("View: Sales").waitFor();

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("2 links", { exact: true }).waitFor();
  await choose("Views", "Sales");
  await page.getByText("1 link", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Sort/ }).press("Enter");
  await page.getByRole("menuitemcheckbox", { name: "Oldest first" }).press("Enter");
  await button("View: Sales, changed").press("Enter");
  await page.getByRole("menuitem", { name: "Save changes to “Sales”" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("menuitem", { name: "Save changes to “Sales”" }).press("Enter");
  await button("View: Sales").waitFor();
  await undo(page);
  await button("View: Sales, changed").waitFor();
  await page.reload();
  await choose("View: Sales, changed", "Rename “Sales”…");
  await dialog.getByLabel("Name").fill("Discounts");
  await dialog.getByRole("button", { name: "Save" }).click();
  await choose("View: Discounts, changed", "Delete “Discounts”");
  await page.getByText("View “Discounts” deleted").first().waitFor();
  await button("Views").waitFor();
  expect(await (await context.request.get("/api/account/views")).json()).toMatchObject({ views: [] });
});

it("shares a view of analytics with the team", async () => {
  const { page, context } = await openSignedIn();
  await page.goto("/app/analytics");
  const headers = { Origin: new URL(page.url()).origin };
  const made = await context.request.post("/api/teams", { data: { name: "Acme" }, headers });
  const { team } = (await made.json()) as { team: { id: string } };
  await page.evaluate((id) => sessionStorage.setItem("account", id), team.id);
  await page.goto("/app/analytics?interval=7d");
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save as a view…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Week");
  await dialog.getByRole("checkbox", { name: "Share with the team" }).check();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "View: Week", exact: true }).click();
  await page.getByRole("group", { name: "Shared with the team" }).getByText("Week").waitFor();
  await expectNoBarriers(page);
  const listed = await context.request.get("/api/account/views", { headers: { "X-Account-Id": team.id } });
  expect(await listed.json()).toMatchObject({ views: [{ kind: "analytics", query: "interval=7d", shared: true }] });
});
