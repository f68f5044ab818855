import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { createLink, expectNoBarriers, post } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

/** An export of Bitly: of 6 links 1 has no destination, 1 is deleted, 1 has a slug with a space. */
const BITLY = `Link,Custom Link,Date created,Title,Destination URL,Engagements,Status,Notes
https://bit.ly/3xYzAbC,https://bit.ly/mv-spring,2025-03-01,Spring sale,https://example.com/spring,"1,234",Active,print
https://bit.ly/4dEfGhI,,2025-03-02,Old page,https://example.com/old,7,Deleted,
https://bit.ly/5kLmNoP,https://bit.ly/mv-summer,2025-06-11,Summer catalogue,https://example.com/summer,88,Active,mail
https://bit.ly/6qRsTuV,https://bit.ly/mv taken,2025-07-01,With a space,https://example.com/space,3,Active,
https://bit.ly/7wXyZaB,https://bit.ly/mv-empty,2025-08-01,Without destination,,0,Active,
https://bit.ly/8cDeFgH,https://bit.ly/mv-autumn,2025-09-20,Autumn offers,https://example.com/autumn,412,Active,print
`;

const file = (name: string, text: string, mimeType = "text/csv") => ({ name, mimeType, buffer: Buffer.from(text) });

it("imports a file of Bitly from the file to the undoing, by mouse", async () => {
  const { page, context } = await openSignedIn();
  // An earlier link has the slug of one of the file.
  await createLink(context, { slug: "mv-autumn" });
  await page.goto("/app/moving");
  await page.getByText("Imports are listed here").waitFor();
  await page.getByRole("radio", { name: "Bitly" }).check({ force: true });
  await page.getByText("Export your links at Bitly as CSV.").waitFor();
  await expectNoBarriers(page);

  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file" }).click();
  await (await choosing).setFiles(file("bitly.csv", BITLY));
  await page.getByText("6 links in the file. Nothing is imported yet.").waitFor();
  await page.getByRole("heading", { name: "Import from Bitly" }).waitFor();
  for (const text of [
    "The destination is no web address.",
    "The slug has characters that links cannot have, or too many.",
    "The slug is taken or reserved.",
    "The old service has deleted or banned the link.",
  ])
    await page.getByText(text).waitFor();
  await page.getByText("About 2 of 6 links will be imported, 2 left out and 2 refused.").waitFor();
  expect(await page.getByLabel("Field for Custom Link").inputValue()).toBe("shortUrl");
  await expectNoBarriers(page);

  // What is chosen is on the server: it is there after a reload.
  await page.getByText("Rename", { exact: true }).click();
  await page.getByText("Import disabled", { exact: true }).click();
  await page.getByLabel("Field for Notes").selectOption({ label: "Tags" });
  await page.getByText("About 4 of 6 links will be imported, 0 left out and 2 refused.").waitFor();
  await page.reload();
  await page.getByText("About 4 of 6 links will be imported, 0 left out and 2 refused.").waitFor();
  expect(await page.getByLabel("Field for Notes").inputValue()).toBe("tags");
  expect(await page.getByRole("radio", { name: "Rename" }).isChecked()).toBe(true);

  await page.getByRole("button", { name: "Start import" }).click();
  await page.getByRole("heading", { name: "4 links imported" }).waitFor();
  await expectNoBarriers(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download 2 rows as CSV" }).click();
  const failures = readFileSync(await (await downloading).path(), "utf8");
  expect(failures).toContain("mv taken");
  expect(failures).toContain("Without destination");

  await page.getByRole("button", { name: "Undo: Import from Bitly" }).click();
  await page.getByRole("dialog", { name: "Delete the 4 links of this import?" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Delete 4 links" }).click();
  await page.getByRole("heading", { name: "4 links deleted again" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "All imports" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Import from Bitly" })
    .getByText("Undone", { exact: true })
    .first()
    .waitFor();
  await page.getByText("1 of 10 started in the last hour, 0 of 2 running").waitFor();
});

it("imports any CSV file by keyboard alone, and says what is wrong with other files", async () => {
  const { page } = await openSignedIn({ theme: "dark", width: 390, height: 844 });
  await page.goto("/app/moving/import");
  // The browser asks the test for files from now on.
  page.on("filechooser", () => undefined);
  const choose = page.getByRole("button", { name: "Choose a file" });
  const chooseByKey = async (chosen: ReturnType<typeof file>) => {
    await tabTo(page, "Choose a file");
    const choosing = page.waitForEvent("filechooser");
    await page.keyboard.press("Enter");
    await (await choosing).setFiles(chosen);
  };
  await choose.waitFor();
  await chooseByKey(file("empty.csv", ""));
  await page.getByText("empty.csv is empty.").waitFor();
  await chooseByKey(file("links.zip", "PK\u0003\u0004 zipped"));
  await page.getByText("links.zip was not uploaded.").waitFor();
  await page.getByText(refusals.file_is_archive).waitFor();
  await expectNoBarriers(page);
  await tabTo(page, "Choose another file");
  await page.keyboard.press("Enter");
  await choose.waitFor();

  await chooseByKey(
    file("links.csv", "Where to;Short name\nhttps://example.com/1;mv-key-one\nhttps://example.com/2;mv-key-two\n"),
  );
  await page.getByText("Choose the column that has the destinations first.").waitFor();
  expect(await page.getByRole("button", { name: "Start import" }).isDisabled()).toBe(true);
  await expectNoBarriers(page);
  await tabTo(page, "Field for Where to");
  await page.keyboard.type("Dest");
  await tabTo(page, "Field for Short name");
  await page.keyboard.type("Slug");
  await page.getByText("All 2 links will be imported.").waitFor();
  await tabTo(page, "Start import");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "2 links imported" }).waitFor();
  await expectNoBarriers(page);

  await tabTo(page, "Undo: Import of a file");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await expectNoBarriers(page);
  await tabTo(page, "Delete 2 links");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "2 links deleted again" }).waitFor();
});

it("pauses, resumes and cancels a long import", async () => {
  const { page } = await openSignedIn({ width: 768 });
  const rows = Array.from({ length: 8_000 }, (_, number) => `https://example.com/${number},mv-long-${number}`);
  await page.goto("/app/moving");
  const dropped = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "long.csv", { type: "text/csv" }));
      return transfer;
    },
    `url,slug\n${rows.join("\n")}\n`,
  );
  await page.getByText("Drop the file here").dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByText("All 8,000 links will be imported.").waitFor();
  await page.getByRole("button", { name: "Start import" }).click();
  await page.getByRole("button", { name: "Pause: Import of a file" }).click();
  await page.getByText(/^Paused at [\d,]+ of 8,000\.$/).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Resume: Import of a file" }).click();
  await page.getByText("1 of 10 started in the last hour, 1 of 2 running").waitFor();
  await page.getByRole("progressbar", { name: "Import of a file" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Cancel: Import of a file" }).click();
  await page.getByRole("button", { name: "Cancel the job" }).click();
  await page.getByRole("button", { name: "Undo: Import of a file" }).waitFor();
  await page.getByText("Cancelled", { exact: true }).waitFor();
});

it("exports links, clicks and codes, and the file is downloaded and read", async () => {
  const { page, context } = await openSignedIn();
  await createLink(context, { title: "Spring poster", tags: ["print"] });
  await createLink(context, { title: "Newsletter", tags: ["mail"] });
  await page.goto("/app/moving/export");
  await page.getByRole("heading", { name: "No exports yet" }).waitFor();
  await expectNoBarriers(page);

  await page.getByText("By filters", { exact: true }).click();
  await page.getByLabel("Search").last().fill("p");
  await page.getByRole("button", { name: "Start export" }).click();
  await page.getByRole("alert").filter({ hasText: "At least 3 characters" }).waitFor();
  await page.getByLabel("Search").last().fill("");
  await page.getByLabel("Tags").selectOption("print");
  await page.getByRole("button", { name: "Remove the tag print" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Start export" }).click();
  // An error is shown, not saved as the file.
  let downloads = 0;
  page.on("download", () => downloads++);
  await page.route(
    "**/api/exports/*/file*",
    (route) =>
      route.fulfill({
        status: 404,
        json: { error: "English.", code: "not_found", details: [{ path: "", code: "not_found", resource: "export" }] },
      }),
    { times: 1 },
  );
  await page.getByRole("link", { name: /^Download: Links as CSV/ }).click();
  await page
    .getByText(refusals.not_found({ resource: "export" }))
    .first()
    .waitFor();
  expect(downloads).toBe(0);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Download: Links as CSV/ }).click();
  const rows = readFileSync(await (await downloading).path(), "utf8");
  expect(rows).toContain("Spring poster");
  expect(rows).not.toContain("Newsletter");

  const nextStart = () =>
    page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/api/exports"));
  const domainStyle = page.getByRole("checkbox", { name: "Draw the codes in the styles of their domains" });
  expect(await domainStyle.count()).toBe(0);
  await page.getByText("QR codes", { exact: true }).click();
  await page.getByText("PNG", { exact: true }).click();
  expect(await domainStyle.isChecked()).toBe(true);
  await domainStyle.uncheck();
  await expectNoBarriers(page);
  await page.getByText("All links", { exact: true }).click();
  await page.getByLabel("Size").fill("3");
  await page.getByRole("button", { name: "Start export" }).click();
  await page.getByRole("alert").filter({ hasText: "128 to 2,048 pixels" }).waitFor();
  await page.getByLabel("Size").fill("256");
  const codes = nextStart();
  await page.getByRole("button", { name: "Start export" }).click();
  expect((await codes).postDataJSON()).toEqual({ kind: "qr", format: "png", size: 256, domainStyle: false });
  await page.getByRole("link", { name: /^Download: QR codes as PNG/ }).waitFor();

  await page.getByText("Clicks", { exact: true }).click();
  expect(await domainStyle.count()).toBe(0);
  await page.getByLabel("Range").selectOption({ label: "Own range" });
  await page.getByLabel("From").fill("2026-01-01");
  const clicks = nextStart();
  await page.getByRole("button", { name: "Start export" }).click();
  // The file has the times of the person's time zone.
  const start = Date.parse("2026-01-01T00:00+01:00");
  expect((await clicks).postDataJSON()).toMatchObject({ kind: "clicks", start, timezone: "Europe/Berlin" });
  await page.getByRole("link", { name: /^Download: Clicks as CSV/ }).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoBarriers(page);
});

it("lists bulk jobs, undoes one, and is closed to viewers", async () => {
  const { page, context } = await openSignedIn({ theme: "dark" });
  await page.goto("/app/moving/jobs");
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  await expectNoBarriers(page);

  const { id } = await createLink(context);
  const unknown = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
  await post(context, "/api/bulk", { ids: [id, unknown], changes: { addTags: ["spring"], archived: true } }, 202);
  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: "Change 2 links" });
  await row.getByText("Changes archived, added tags").waitFor();
  await row.getByRole("link", { name: "Download 1 row as CSV" }).waitFor();
  await expectNoBarriers(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expectNoBarriers(page);
  await row.getByRole("button", { name: "Undo: Change 2 links" }).click();
  await page.getByRole("button", { name: "Undo for 1 link" }).click();
  await row.getByText("Undone", { exact: true }).first().waitFor();

  await asViewer(page);
  await page.goto("/app/moving");
  await page.getByRole("heading", { name: "Your role cannot move links" }).waitFor();
  await expectNoBarriers(page);
});

/** Presses Tab until an element with the name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

/** Makes the page believe that the person is a viewer of the account. */
async function asViewer(page: Page): Promise<void> {
  await page.route("**/api/auth/session", async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll('"role":"owner"', '"role":"viewer"') });
  });
}
