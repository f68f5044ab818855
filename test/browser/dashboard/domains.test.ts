import type { BrowserContext } from "playwright-core";
import { expect, inject, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { plainErrors } from "../../../dashboard/src/texts/en/plain-errors.ts";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { DAY_MS, DELETED_LINK_KEPT_MS } from "../../../src/limits.ts";
import { createLink, expectNoBarriers, post, undo } from "../support/dashboard.ts";
import { setRecords } from "../support/dns.ts";
import { URL_FIELD } from "../support/links.ts";
import { tabTo } from "../support/keyboard.ts";
import { openSignedIn } from "../support/visits.ts";

/** How long a value may take to change. */
const POLL = { timeout: 20_000 };

it("adds a domain, says what its DNS lacks, and verifies it (390 px)", async () => {
  const { page } = await openSignedIn({ width: 390 });
  const name = `added${process.pid}.acme.com`;
  await page.goto("/app/settings/domains");
  await page.getByText("No domain of your own yet").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Add domain" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Domain", { exact: true }).fill(`https://${name}/promo`);
  await dialog.getByText("More settings").click();
  await dialog.getByLabel("Root of the domain").fill("https://acme.com/");
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await dialog.getByText(fieldFaults.not_only_a_host({ suggestion: name })).waitFor();
  await expectNoBarriers(page);
  await dialog.getByLabel("Domain", { exact: true }).fill(` https://${name.toUpperCase()}/`);
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await page.getByText(`${name} added. Set up its DNS records next.`).first().waitFor();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  expect(await page.getByLabel("Root of the domain").inputValue()).toBe("https://acme.com/");

  await page.getByRole("button", { name: "Copy the value of the TXT record" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^tern-verification=/);
  const proof = await copied();
  await page.getByRole("button", { name: "Copy instructions" }).click();
  await expect.poll(copied).toContain(`Value: ${proof}`);
  const mail = new URL((await page.getByRole("link", { name: "Send by e-mail" }).getAttribute("href")) ?? "");
  expect(mail.searchParams.get("subject")).toBe(`DNS records for ${name}`);
  expect(mail.searchParams.get("body")).toContain(proof);

  const dns = inject("dns");
  await setRecords(dns, { [`TXT _tern-challenge.${name}`]: ['"v=spf1 -all"'] });
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Found instead: v=spf1 -all").waitFor();
  await page.getByText("No record there yet").waitFor();
  await expectNoBarriers(page);
  await setRecords(dns, {
    [`TXT _tern-challenge.${name}`]: [`"${proof}"`],
    [`CNAME ${name}`]: ["localhost."],
  });
  // The page checks again by itself.
  await page.getByText("Verified", { exact: true }).waitFor({ timeout: 40_000 });
  await expect.poll(() => page.getByText("Found", { exact: true }).count()).toBe(2);
  await expectNoBarriers(page);
});

/** Adds a domain of this name and verifies it. Returns its id. */
async function addVerified(context: BrowserContext, name: string): Promise<string> {
  const { domain } = (await post(context, "/api/domains/add", { domain: name })) as {
    domain: { id: string; records: { value: string }[] };
  };
  await setRecords(inject("dns"), { [`TXT _tern-challenge.${name}`]: [`"${domain.records[0]?.value}"`] });
  await post(context, `/api/domains/${domain.id}/verify`, {}, 200);
  return domain.id;
}

it("permits slashes in slugs where paths are not handed on, and says why they stay permitted", async () => {
  const { page, context } = await openSignedIn();
  const name = `nested${process.pid}.acme.com`;
  const settings = `/app/settings/domains/${await addVerified(context, name)}`;
  const editor = `/app/links?create=true&domain=${name}&slug=docs%2Fsetup`;
  await page.goto(editor);
  await page.getByText("Only a domain with slashes in slugs can have this one.").waitFor();
  await expectNoBarriers(page);

  await page.goto(settings);
  const paths = page.getByRole("checkbox", { name: "Links hand on the path after their slug" });
  const nested = page.getByRole("checkbox", { name: "Links may have slugs with slashes, such as docs/setup" });
  await paths.click();
  await page.getByText("Links hand on the path now").first().waitFor();
  await nested.click();
  const { named, fields } = plainErrors;
  await page
    .getByText(`${named(fields.nestedSlugs)} ${fieldFaults.on_together({ field: fields.pathForwarding })}.`)
    .waitFor();
  await expectNoBarriers(page);
  expect(await nested.isChecked()).toBe(false);
  await paths.click();
  await page.getByText("Links hand on no path now").first().waitFor();
  await nested.click();
  await page.getByText("Slugs may have slashes now").first().waitFor();
  await expect.poll(() => nested.isChecked(), POLL).toBe(true);

  await page.goto(editor);
  await page.getByText("docs/setup is free.").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/setup");
  await page.getByRole("dialog").getByRole("button", { name: "Create link" }).click();
  await page.getByText(`${name}/docs/setup`).first().waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.goto(settings);
  await nested.click();
  await page.getByText(refusals.has_nested_slugs({ value: name, days: DELETED_LINK_KEPT_MS / DAY_MS })).waitFor();
  await expectNoBarriers(page);
  expect(await nested.isChecked()).toBe(true);
});

it("changes a domain's settings and files with undo, and deletes it with its links", async () => {
  const { page, context } = await openSignedIn();
  const name = `set${process.pid}.acme.com`;
  await page.goto(`/app/settings/domains/${await addVerified(context, name)}`);

  const notFound = page.getByLabel("Unknown links");
  await notFound.fill("not a url");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByRole("alert").first().waitFor();
  expect(await notFound.inputValue()).toBe("not a url");
  await notFound.fill("https://acme.com/missing");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Domain saved").first().waitFor();
  await undo(page);
  await expect.poll(() => notFound.inputValue(), POLL).toBe("");

  const isCaseSensitive = page.getByRole("checkbox", { name: "Slugs that differ only in case are different links" });
  await tabTo(page, "checkbox", "Slugs that differ only in case are different links");
  await page.keyboard.press("Space");
  await page.getByText("The case of slugs counts now").first().waitFor();
  await undo(page);
  await expect.poll(() => isCaseSensitive.isChecked(), POLL).toBe(false);

  const apple = page.getByLabel("Apple (apple-app-site-association)", { exact: true });
  await apple.fill("{");
  await page.getByText("This is not JSON").waitFor();
  await apple.fill("");
  await page.getByRole("button", { name: "Insert an example: Apple" }).click();
  await page.getByRole("button", { name: "Save" }).last().click();
  await page.getByText("Files saved").first().waitFor();
  await expectNoBarriers(page);
  await undo(page);
  await expect.poll(() => apple.inputValue(), POLL).toBe("");

  await createLink(context, { domain: name });
  await page.getByRole("button", { name: "Delete domain" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 link uses this domain.").waitFor();
  await expectNoBarriers(page);
  expect(await dialog.getByRole("button", { name: "Delete domain" }).isDisabled()).toBe(true);
  await dialog.getByRole("checkbox", { name: "Also delete its links" }).check();
  await dialog.getByRole("button", { name: "Delete domain" }).click();
  await page.getByText("No domain of your own yet").waitFor();
});

it.each([390, 768, 1280])("breaks the names of DNS records only after dots and hyphens (%i px)", async (width) => {
  const { page, context } = await openSignedIn({ width });
  const domain = `go${process.pid}x${width}.autumn-sale.of-the-old-town.acme.com`;
  const added = await post(context, "/api/domains/add", { domain });
  await page.goto(`/app/settings/domains/${(added as { domain: { id: string } }).domain.id}`);
  const names = page.getByRole("table").locator("code").filter({ hasText: domain });
  await names.first().waitFor();
  const lines = await names.evaluateAll((all) =>
    all.map((name) => {
      const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let written = "";
      let top = 0;
      while (texts.nextNode() !== null)
        for (let index = 0; index < (texts.currentNode.nodeValue?.length ?? 0); index++) {
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + 1);
          const { bottom } = range.getBoundingClientRect();
          if (written !== "" && bottom > top + 4) written += "\n";
          written += range.toString();
          top = bottom;
        }
      return written;
    }),
  );
  expect(lines.map((name) => name.replaceAll("\n", ""))).toEqual([`_tern-challenge.${domain}`, domain]);
  for (const name of lines) expect(name).not.toMatch(/[^.-]\n/);
  expect(await page.getByRole("table").evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
