import { expect, it } from "vitest";
import { BERLIN, click, IPHONE, waitForClicks } from "../support/clicks.ts";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

it("shows the columns of the newest clicks that the person chooses, and keeps them", async () => {
  const { page, context } = await openSignedIn({ width: 390 });
  const link = await createLink(context, { url: "https://example.com/?utm_campaign=spring" });
  await click(link.slug, { place: BERLIN, userAgent: IPHONE });
  await waitForClicks(context, 1);
  await page.goto("/app/analytics");
  const table = page.getByRole("region", { name: "Latest clicks" });
  const heads = () => table.getByRole("columnheader").allInnerTexts();
  await table.getByRole("cell", { name: "Berlin" }).waitFor();
  expect(await heads()).toEqual(["Time", "Link", "Country", "City", "Site", "Device", "Browser", "Trigger"]);

  await page.getByRole("button", { name: "Columns" }).click();
  const panel = page.getByRole("dialog", { name: "Columns" });
  const titles = panel.getByText("Columns", { exact: true });
  await panel.waitFor();
  const inSight = (all: Element[]) => all.filter((each) => each.getBoundingClientRect().width > 1).length;
  expect(await titles.evaluateAll(inSight)).toBe(1);
  for (const name of ["City", "Site", "Device", "Browser", "Trigger"]) await panel.getByLabel(name).uncheck();
  await panel.getByLabel("UTM campaign").check();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await table.getByRole("cell", { name: "spring", exact: true }).waitFor();
  expect(await heads()).toEqual(["Time", "Link", "Country", "UTM campaign"]);

  // The page of a link has no column for links. A choice there keeps that of the other pages.
  await page.goto(`/app/links/${link.id}`);
  await table.getByRole("cell", { name: "spring", exact: true }).waitFor();
  expect(await heads()).toEqual(["Time", "Country", "UTM campaign"]);
  await page.getByRole("button", { name: "Columns" }).click();
  await panel.getByLabel("Country").uncheck();
  await page.keyboard.press("Escape");
  await page.goto("/app/analytics");
  await table.getByRole("cell", { name: "spring", exact: true }).waitFor();
  expect(await heads()).toEqual(["Time", "Link", "UTM campaign"]);
});

it("shows weekdays and hours of long periods, as far as they are known", async () => {
  const { page, context } = await openSignedIn();
  const link = await createLink(context);
  await click(link.slug, { place: BERLIN });
  await waitForClicks(context, 1);
  await page.route(/\/api\/clicks\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { clicks: { detailFrom: { quarterHours: number | null } } };
    body.clicks.detailFrom.quarterHours = Date.now();
    await route.fulfill({ response, json: body });
  });
  await page.goto("/app/analytics?interval=1y");
  await page.getByText(/^Most clicks: \w+day at \d+:00 \(1\)\.$/).waitFor();
  await page.getByText(/^Hours are known of the clicks from /).waitFor();
  await expectNoBarriers(page);
});
