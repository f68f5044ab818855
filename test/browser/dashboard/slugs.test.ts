import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { HOST, newSlug, readClipboard, textbox, URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

it("checks slugs while they are typed, and finds links with the same destination", async () => {
  const { page, context } = await openSignedIn({ theme: "dark" });
  const link = await createLink(context, { slug: newSlug("Mine"), url: "https://example.com/once" });
  await page.goto("/app/links?create=true");
  const slug = textbox(page, "Slug");
  await slug.fill(link.slug);
  await page.getByText("Another link of yours has this slug.").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: `Use ${link.slug}-2` }).click();
  await page.getByText(`${link.slug}-2 is free.`).waitFor();
  await slug.fill("api");
  await page.getByText("This slug is reserved.").waitFor();
  await slug.fill("not a slug");
  await page.getByText(/^Slug must be 1 to 64 letters/).waitFor();
  await slug.fill("");
  await page.getByText("Leave it empty for a random one.").waitFor();
  const title = textbox(page, "Title");
  await title.fill("春の大売出し");
  expect(await page.getByRole("button", { name: /^Use / }).count()).toBe(0);
  await title.fill("Größte Frühlings-Aktion, bei Acme in Łódź");
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Use groesste-fruehlings-aktion-bei-acme-in", exact: true }).click();
  await page.getByText("groesste-fruehlings-aktion-bei-acme-in is free.").waitFor();

  await page.getByRole("textbox", URL_FIELD).fill("example.com/once");
  await page.getByText("You already shortened this").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Use this one" }).click();
  await page.getByText(`${HOST}/${link.slug} is on the clipboard`).first().waitFor();
  expect(await readClipboard(page)).toBe(link.shortUrl);
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
