import { expect, inject, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { MAX_BRAND_LOGO_CHARS } from "../../../src/domains/limits.ts";
import { expectNoBarriers, post, undo } from "../support/dashboard.ts";
import { setRecords } from "../support/dns.ts";
import { openSignedIn } from "../support/visits.ts";

const POLL = { timeout: 20_000 };
const AMBER = "rgb(255, 204, 0)";
const BLACK = "rgb(0, 0, 0)";

it.each([390, 1_280])("sets a domain's brand and shows it before it is saved (%i px)", async (width) => {
  const { page, context } = await openSignedIn({ width });
  const name = `brand${width}-${process.pid}.acme.com`;
  const { domain } = (await post(context, "/api/domains/add", { domain: name })) as {
    domain: { id: string; records: { value: string }[] };
  };
  await setRecords(inject("dns"), { [`TXT _tern-challenge.${name}`]: [`"${domain.records[0]?.value}"`] });
  await post(context, `/api/domains/${domain.id}/verify`, {}, 200);
  await page.goto(`/app/settings/domains/${domain.id}`);
  const brand = page.locator("form").filter({ has: page.getByLabel("Name of the brand") });
  const [title, logo, colour] = ["Name of the brand", "Logo", "Colour of the buttons"].map((label) =>
    brand.getByLabel(label, { exact: true }),
  ) as [ReturnType<typeof brand.getByLabel>, ReturnType<typeof brand.getByLabel>, ReturnType<typeof brand.getByLabel>];
  const preview = brand.getByRole("figure", { name: "Preview" });
  const save = brand.getByRole("button", { name: "Save" });
  await preview.getByText("Tern", { exact: true }).waitFor();
  await brand.getByText("Without a logo, visitors' browsers load nothing from other hosts.").waitFor();
  expect(await page.getByRole("link", { name: `See the page at ${name}` }).getAttribute("href")).toBe(
    `https://${name}/`,
  );

  // Each error is at its field, and what was entered stays.
  await logo.fill("http://acme.com/logo.svg");
  await colour.fill("amber");
  await save.click();
  await brand.getByText(fieldFaults.not_an_image_url({ max: MAX_BRAND_LOGO_CHARS })).waitFor();
  await brand.getByText(fieldFaults.not_a_colour).waitFor();
  expect(await brand.getByRole("alert").count()).toBe(2);
  expect(await logo.inputValue()).toBe("http://acme.com/logo.svg");
  await expectNoBarriers(page);

  await title.fill(" Acme ");
  await logo.fill("https://acme.com");
  await colour.fill("#FC0");
  await preview.getByText("Acme", { exact: true }).waitFor();
  await preview.getByRole("img", { name: "Logo from acme.com" }).waitFor();
  await brand.getByText("Visitors' browsers load the logo from acme.com").waitFor();
  const button = preview.getByText("Open", { exact: true });
  await expect
    .poll(() => button.evaluate((node) => [getComputedStyle(node).backgroundColor, getComputedStyle(node).color]), POLL)
    .toEqual([AMBER, BLACK]);
  await save.click();
  await page.getByText("Brand saved").first().waitFor();
  // The fields have the values as they are kept, so nothing is left to save.
  await expect.poll(() => colour.inputValue(), POLL).toBe("#ffcc00");
  expect([await title.inputValue(), await logo.inputValue()]).toEqual(["Acme", "https://acme.com/"]);
  expect(await save.isDisabled()).toBe(true);
  await expectNoBarriers(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

  await page.reload();
  await expect.poll(() => title.inputValue(), POLL).toBe("Acme");
  await title.fill("Acme Shoes");
  await save.click();
  await page.getByText("Brand saved").first().waitFor();
  await undo(page);
  await expect.poll(() => title.inputValue(), POLL).toBe("Acme");
  // The page itself loads no logo.
});
