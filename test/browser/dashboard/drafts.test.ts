import { expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { plainErrors } from "../../../dashboard/src/texts/en/plain-errors.ts";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { createLink, expectNoBarriers, post } from "../support/dashboard.ts";
import { HOST, newSlug, openEditor, patchLink, readLink, textbox, URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

it("keeps drafts of new and edited links, but no passwords", async () => {
  const { page, context } = await openSignedIn();
  const { id } = await createLink(context, { slug: newSlug("Draft"), title: "Before" });
  await page.goto("/app/links?create=true");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/draft");
  await page.keyboard.press("Alt+p");
  await page.getByRole("textbox", { name: "Password" }).fill("tern in the wind");
  await page.reload();
  await page.getByText("This is your draft from before.").waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/draft");
  await expectNoBarriers(page);

  await page.keyboard.press("Alt+p");
  const password = page.getByRole("textbox", { name: "Password" });
  expect(await password.inputValue()).toBe("");
  await password.fill("tern in the wind");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Leave without the password?" });
  await question.waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  expect(await password.inputValue()).toBe("tern in the wind");
  await password.fill("");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("Your draft is kept").first().waitFor();

  // Another new link does not replace it before something is typed.
  await page.goto("/app/links?create=true&url=https%3A%2F%2Fexample.com%2Fother");
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/other");
  await page.keyboard.press("Control+Enter");
  await page
    .getByText(/ is ready$/)
    .first()
    .waitFor();
  await page.goto("/app/links?create=true&url=https%3A%2F%2Fexample.com%2Fthird");
  await page.getByRole("button", { name: "Continue with it" }).click();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/draft");

  await openEditor(page, id);
  await textbox(page, "Title").fill("After");
  await page.reload();
  await page.getByText("This is your draft from before.").waitFor();
  expect(await textbox(page, "Title").inputValue()).toBe("After");
  await page.getByRole("button", { name: "Discard changes" }).click();
  expect(await textbox(page, "Title").inputValue()).toBe("Before");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("draft:")).length)).toBe(
    1,
  );
});

it("places errors at their fields, and loses nothing when it is refused, limited or offline", async () => {
  const { page, context } = await openSignedIn();
  const taken = newSlug("Taken");
  await createLink(context, { slug: taken, externalId: "product-1" });
  await page.goto("/app/links?create=true");
  const dialog = page.getByRole("dialog", { name: "New link" });
  await dialog.waitFor();
  const create = dialog.getByRole("button", { name: "Create link" });
  await create.click();
  await dialog.getByText("Enter the page that the link leads to.").waitFor();
  await expectNoBarriers(page);

  await page.getByRole("textbox", URL_FIELD).fill("javascript:alert(1)");
  await page.keyboard.press("Alt+t");
  await textbox(page, "Android").fill("tel:110");
  await page.keyboard.press("Alt+t");
  await create.click();
  await dialog.getByText(`Destination ${fieldFaults.not_http}.`).waitFor();
  // Its group opens.
  await dialog.getByText(`Android ${fieldFaults.refused_scheme}.`).waitFor();
  await textbox(page, "Android").fill("");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/kept");
  await dialog.getByText(/^Destination must/).waitFor({ state: "hidden" });
  expect(await dialog.getByRole("alert").count()).toBe(0);

  await page.keyboard.press("Alt+r");
  await dialog.getByRole("button", { name: "Add a rule" }).click();
  await dialog.getByRole("combobox", { name: "Add a condition" }).selectOption("countries");
  await page.keyboard.type("nowhere");
  await page.keyboard.press("Enter");
  await dialog.getByText("There is no country “nowhere”. Choose one from the list.").waitFor();
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("Enter the page that this rule leads to.").waitFor();
  await dialog.getByRole("button", { name: "Remove rule 1" }).click();
  expect(await dialog.getByRole("alert").count()).toBe(0);

  // A conflict is at its field too.
  await page.keyboard.press("Alt+o");
  await textbox(page, "External id").fill("product-1");
  await create.click();
  await dialog.getByText(refusals.taken({ field: plainErrors.fields.externalId, value: "product-1" })).waitFor();
  await textbox(page, "External id").fill("");

  await context.setOffline(true);
  await create.click();
  await dialog.getByText(/^The service could not be reached/).waitFor();
  await expectNoBarriers(page);
  await context.setOffline(false);

  // Ten links a minute.
  for (let status = 201; status !== 429;) {
    const data = { url: "https://example.com/many" };
    status = (
      await context.request.post("/api/links", { data, headers: { Origin: new URL(page.url()).origin } })
    ).status();
  }
  await create.click();
  await dialog.getByText(/^That was too fast/).waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/kept");
  await page.reload();
  await page.getByText("This is your draft from before.").waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/kept");
});

it("shows what somebody else has changed, and lets the person choose", async () => {
  const { page, context } = await openSignedIn();
  const { id, slug } = await createLink(context, { slug: newSlug("Conflict"), title: "Before", tags: ["old"] });
  const dialog = await openEditor(page, id);
  await textbox(page, "Title").fill("Mine");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/mine");
  await page.keyboard.press("Alt+o");
  await textbox(page, "External id").fill(`id-${slug}`);
  await patchLink(context, id, { title: "Theirs", url: "https://example.com/theirs", tags: ["new"] });
  await page.keyboard.press("Control+s");
  await dialog.getByText("Somebody else has changed this link").waitFor();
  expect(await dialog.getByText("Tags: new").count()).toBe(1);
  await dialog.getByRole("group", { name: "Destination" }).getByText("Theirs").click();
  await dialog.getByText("Destination: example.com/theirs").waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Take these over" }).click();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/theirs");
  expect(await textbox(page, "Title").inputValue()).toBe("Mine");
  await page.keyboard.press("Control+s");
  await page.getByText(`${HOST}/${slug} is saved`).first().waitFor();
  expect(await readLink(context, id)).toMatchObject({
    title: "Mine",
    url: "https://example.com/theirs",
    tags: ["new"],
    externalId: `id-${slug}`,
  });
});

it("shows the defaults of the account as what will happen", async () => {
  const { page, context } = await openSignedIn();
  await post(context, "/api/utm-templates", { name: "Old name", utm: { source: "mail" } });
  const { origin } = new URL((await createLink(context)).shortUrl);
  const data = { linkDefaults: { tags: ["house"], redirectStatus: 307 } };
  expect((await context.request.patch("/api/account", { data, headers: { Origin: origin } })).status()).toBe(200);
  await page.goto("/app/links?create=true");
  await page.getByText("From the defaults of this account.").waitFor();
  await page.getByText("house").waitFor();
  // What is still in the field is saved as well.
  await page.getByRole("combobox", { name: "Tags" }).fill("last");
  await page.keyboard.press("Alt+o");
  await page.getByRole("option", { name: "307 (default)" }).waitFor({ state: "attached" });
  const slug = newSlug("Default");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/defaults");
  await textbox(page, "Slug").fill(slug);
  await page.keyboard.press("Alt+m");
  await page.getByRole("button", { name: "Choose a template" }).click();
  await page.getByRole("button", { name: "Rename Old name" }).click();
  await textbox(page, "Name of the template").fill("New name");
  await page.keyboard.press("Enter");
  await page.getByText("Template is now called New name").first().waitFor();
  await page.getByRole("button", { name: "Rename New name" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Template is now called Old name").first().waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Delete Old name" }).click();
  await page.getByText("Template Old name is deleted").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Tags" }).fill("typed");
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${HOST}/${slug} is ready`).first().waitFor();
  const response = await context.request.get(`/api/links?slug=${slug}`);
  const { links } = (await response.json()) as { links: object[] };
  expect(links[0]).toMatchObject({ tags: ["house", "last", "typed"], redirectStatus: 307 });
});
