import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { database } from "../support/database.ts";
import { readLink, textbox } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// What the service found at the destinations of links.

const ICON = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface Found {
  id: string;
  title: string;
  brokenSince: number | null;
}

/** Stores what visits found at these links, as the watch of a deployed service does. */
async function storeVisits(...found: Found[]): Promise<void> {
  await database.batch([
    database
      .prepare(
        `INSERT INTO destinations (link_id, link_seq, account_id, due_at, visited_hash, outcome, broken_since, page_title, final_host,
           response_status, checked_at)
         SELECT l.id, l.seq, l.account_id, 9e12, l.url_hash, iif(j.value ->> 'brokenSince', 'failing', 'working'),
           j.value ->> 'brokenSince', j.value ->> 'title', 'www.example.com', iif(j.value ->> 'brokenSince', 404, 200), ?2
         FROM json_each(?1) j JOIN links l ON l.id = j.value ->> 'id'`,
      )
      .bind(JSON.stringify(found), Date.now()),
  ]);
}

it("shows what was found at destinations, filters by broken ones, and suggests a title", async () => {
  const { page, context } = await openSignedIn({ theme: "dark", width: 1024 });
  const works = await createLink(context);
  const broken = await createLink(context, { url: "https://example.com/gone" });
  await storeVisits(
    { id: works.id, title: "Spring sale at Example", brokenSince: null },
    { id: broken.id, title: "Lost page", brokenSince: Date.now() - 90_000_000 },
  );
  const icon = page.getByTitle("example.com").locator("img");
  // The service on this machine visits no destinations, so it has no icons.
  await page.route(`**/api/account/icons/${works.id}?**`, (route) =>
    route.fulfill({ contentType: "image/png", body: ICON }),
  );
  await page.goto("/app/links");
  await expect
    .poll(() => icon.evaluateAll((images) => images.map((each) => getComputedStyle(each).opacity)))
    .toEqual(["0", "1"]);
  await page.getByText("Spring sale at Example").waitFor();
  await page.getByText("Broken", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("checkbox", { name: "Only links whose destination is broken" }).check();
  await page.getByText("Spring sale at Example").waitFor({ state: "detached" });
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByText("1 link").waitFor();
  await page.getByText("Lost page").waitFor();
  await expectNoBarriers(page);
  // The badge leaves room for the name.
  await page.getByRole("link", { name: new RegExp(broken.slug) }).click();
  await page.getByText("it answers with 404").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoBarriers(page);

  await page.goto(`/app/links/${works.id}`);
  await page.getByText("redirects to www.example.com").waitFor();
  await page.keyboard.press("e");
  await page.getByRole("button", { name: "Use the title “Spring sale at Example”" }).click();
  expect(await textbox(page, "Title").inputValue()).toBe("Spring sale at Example");
  await expectNoBarriers(page);
  await page.keyboard.press("Control+s");
  await expect.poll(async () => (await readLink(context, works.id))["title"]).toBe("Spring sale at Example");
});
