import { expect, it } from "vitest";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { chooseAction, createLink, expectNoBarriers, undo } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

it.each([
  ["light", 1280],
  ["dark", 390],
] as const)("subscribes to reports, and changes and stops them in the settings (%s, %i px)", async (theme, width) => {
  const { page, context, person } = await openSignedIn({ theme, width });
  const { id, slug } = await createLink(context, { tags: ["sale"] });
  const send = () => chooseAction(page, "Send as report");
  const dialog = page.getByRole("dialog");
  const submit = dialog.getByRole("button", { name: "Send to me" });

  await page.goto("/app/analytics?tag=sale");
  await send();
  await dialog.getByText(`${person.email} gets a mail`).waitFor();
  expect(await dialog.getByRole("combobox", { name: "Links" }).inputValue()).toBe("sale");
  await expectNoBarriers(page);
  await submit.click();
  await page
    .getByText(/^You get this report by mail\. The next one comes on /)
    .first()
    .waitFor();
  await send();
  await submit.click();
  await dialog.getByText(refusals.exists({ resource: "report" })).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`/app/links/${id}`);
  await send();
  await dialog.getByRole("combobox", { name: "How often" }).selectOption("monthly");
  await submit.click();
  await dialog.waitFor({ state: "detached" });
  await send();
  await dialog.getByRole("link", { name: "All reports that you get of this account" }).click();

  await page.getByRole("heading", { name: "Reports by mail", level: 1 }).waitFor();
  await page.getByRole("link", { name: new RegExp(`/${slug}$`) }).waitFor();
  await page.getByText("On the first day of a month, of the month before", { exact: true }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Edit: Links with the tag “sale”" }).press("Enter");
  await dialog.getByRole("combobox", { name: "How often" }).selectOption("monthly");
  await dialog.getByRole("combobox", { name: "Time zone" }).selectOption("America/New_York");
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("(America/New York)").waitFor();
  await page.getByRole("button", { name: "Stop: Links with the tag “sale”" }).click();
  await page.getByText("(America/New York)").waitFor({ state: "detached" });
  await undo(page);
  await page.getByText("(America/New York)").waitFor();
  const { reports } = (await (await context.request.get("/api/account/mail-reports")).json()) as { reports: object[] };
  expect(reports).toMatchObject([
    { tag: "sale", linkId: null, frequency: "monthly", timezone: "America/New_York" },
    { tag: null, linkId: id, frequency: "monthly", timezone: "Europe/Berlin" },
  ]);
});
