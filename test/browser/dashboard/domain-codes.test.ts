import { expect, inject, it } from "vitest";
import { imageOf } from "../../support/fake-image.ts";
import { createLink, expectNoBarriers, post } from "../support/dashboard.ts";
import { setRecords } from "../support/dns.ts";
import { openSignedIn } from "../support/visits.ts";

const STYLE = { foreground: "#0b4652", dots: "rounded", frameText: "Scan me", logoSize: 26 };

it.each([
  [1280, "light"],
  [390, "dark"],
] as const)("keeps a style for the codes of a domain (%i px, %s)", async (width, theme) => {
  const { page, context } = await openSignedIn({ width, theme, expectedProblems: /400/ });
  const name = `codes${width}-${process.pid}.acme.com`;
  const { domain } = (await post(context, "/api/domains/add", { domain: name })) as {
    domain: { id: string; records: { value: string }[] };
  };
  await setRecords(inject("dns"), { [`TXT _tern-challenge.${name}`]: [`"${domain.records[0]?.value}"`] });
  await post(context, `/api/domains/${domain.id}/verify`, {}, 200);
  const { id } = await createLink(context, { slug: "poster", domain: name });
  const kept = async () => (await (await context.request.get(`/api/domains/${domain.id}/qr-style`)).json()) as object;

  await page.goto(`/app/links/${id}`);
  await page.getByRole("heading", { name: "poster" }).waitFor();
  await page.keyboard.press("q");
  const dialog = page.getByRole("dialog", { name: "QR code" });
  await dialog.getByText("It has no style. The API draws its codes plain.").waitFor();
  await dialog.getByLabel("Code colour, as a code").fill(STYLE.foreground);
  await dialog.getByLabel("Dots").selectOption(STYLE.dots);
  await dialog.getByLabel("Text below the code").fill(STYLE.frameText);
  const buffer = Buffer.from(imageOf("png", 200));
  await dialog.getByLabel("Logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await dialog.getByLabel("Size of the logo").fill(String(STYLE.logoSize));
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Keep this style for the domain" }).click();
  await page.getByText(`The codes of ${name} look so from now on.`).first().waitFor();
  expect(await kept()).toMatchObject({ qrStyle: STYLE });

  // Phones see little contrast between these colours.
  await dialog.getByLabel("Code colour, as a code").fill("#6862ae");
  await dialog.getByLabel("Background, as a code").fill("#1bfc1d");
  await dialog.getByRole("button", { name: "Keep this style for the domain" }).click();
  await page.getByText("Phones could not read codes in these colours. Choose a darker colour").first().waitFor();
  expect(await kept()).toMatchObject({ qrStyle: STYLE });

  // Another style of this browser does not replace it.
  await dialog.getByRole("button", { name: "Back to the plain code" }).click();
  await dialog.getByRole("button", { name: "Use it here" }).click();
  await expect.poll(() => dialog.getByLabel("Text below the code").inputValue()).toBe(STYLE.frameText);
  expect(await dialog.getByLabel("Size of the logo").inputValue()).toBe(String(STYLE.logoSize));
  await dialog.getByRole("button", { name: "Back to the plain code" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("q");
  await expect.poll(() => dialog.getByLabel("Code colour, as a code").inputValue()).toBe(STYLE.foreground);
  await expectNoBarriers(page);

  await dialog.getByRole("button", { name: "End it" }).click();
  await page.getByText(`The codes of ${name} are plain again.`).first().waitFor();
  expect(await kept()).toEqual({ qrStyle: null });
});
