import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchForDashboard, post } from "../support/dashboard.ts";
import { newAddress, openPerson } from "../support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchForDashboard();
});
afterAll(() => browser?.close());

it("says when an invitation ends as long as it lasts", async () => {
  const { page, context, problems } = await openPerson(browser);
  const { team } = (await post(context, "/api/teams", { name: "Lighthouse" })) as { team: { id: string } };
  await page.addInitScript((id) => sessionStorage.setItem("account", id), team.id);
  await page.goto("/app/settings/team");
  await page.getByLabel("E-mail address").fill(newAddress());
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByText("in 7 days").waitFor();
  expect(problems).toEqual([]);
});
