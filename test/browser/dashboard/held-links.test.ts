import { expect, it } from "vitest";
import { packVerdict, type Verdict } from "#src/redirect/verdict.ts";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { database } from "../support/database.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

// Links from which visitors are kept.

const SINCE = Date.parse("2026-03-05T12:00:00Z");
const BLOCKED: Verdict = { state: "blocked", reason: "phishing", since: SINCE };
const WARNED: Verdict = { state: "warned", reason: "lookalike", since: SINCE };

/** What is done to a link, as statements of the database. */
type Measure = (linkId: string) => D1PreparedStatement[];

const give =
  (verdict: Verdict): Measure =>
  (linkId) => [
    database
      .prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE id = ?2")
      .bind(packVerdict(verdict, false), linkId),
  ];

/** A takedown, as an operator makes it. */
const takeDown: Measure = (linkId) => {
  const id = `0195${linkId.slice(4)}`;
  return [
    ...give(BLOCKED)(linkId),
    database
      .prepare(
        `INSERT INTO takedowns (id, kind, target, shown, imposed, statement, created_at, created_by)
         VALUES (?1, 'link', ?2, 'https://go.example/bank', ?3, 'It imitates a bank.', ?4, 'operator')`,
      )
      .bind(id, linkId, packVerdict(BLOCKED, false), SINCE),
    database
      .prepare("INSERT INTO takedown_accounts (account_id, takedown_id) SELECT account_id, ?1 FROM links WHERE id = ?2")
      .bind(id, linkId),
  ];
};

const take = (...measures: [linkId: string, Measure][]) =>
  database.batch(measures.flatMap(([linkId, measure]) => measure(linkId)));

it.each([1440, 390])("says above the list, at the link and on its page that it is blocked (%i px)", async (width) => {
  const { page, context } = await openSignedIn({ width });
  const [healthy, blocked, warned] = [uniqueName(), uniqueName(), uniqueName()];
  await createLink(context, { slug: healthy });
  await page.goto("/app/links");
  await row(page, healthy).waitFor();
  expect(await page.getByText(/blocked or have a warning/).count()).toBe(0);

  const { id } = await createLink(context, { slug: blocked });
  const warnedOf = await createLink(context, { slug: warned });
  await take([id, takeDown], [warnedOf.id, give(WARNED)]);
  await page.reload();
  await row(page, blocked).getByText("Blocked", { exact: true }).waitFor();
  await row(page, warned).getByText("Warning", { exact: true }).waitFor();
  await page.getByText("2 links are blocked or have a warning for visitors.").waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Show them" }).click();
  await row(page, healthy).waitFor({ state: "detached" });
  await row(page, warned).waitFor();
  await page.getByRole("button", { name: "Remove filter Warning" }).click();
  await row(page, warned).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  expect(await page.getByRole("checkbox", { name: "Blocked" }).isChecked()).toBe(true);
  await expectNoBarriers(page);
  await page.getByRole("checkbox", { name: "Blocked" }).uncheck();
  await page.getByRole("checkbox", { name: "Warning" }).check();
  // On a phone the filters cover the list.
  await page.keyboard.press("Escape");
  await row(page, warned).waitFor();
  await row(page, blocked).waitFor({ state: "detached" });

  await page.goto(`/app/links/${id}`);
  await page.getByText("This link is blocked: visitors do not reach its destination. Reason: phishing.").waitFor();
  await page.getByText(/^Since .*2026/).waitFor();
  await page.getByText("The operator says: It imitates a bank.").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Appeal against it" }).click();
  await page.getByRole("button", { name: "Appeal…" }).waitFor();
});

it("asks for the number where the list does not have all links", async () => {
  const { page, context } = await openSignedIn();
  const [blocked, other] = [uniqueName(), uniqueName()];
  const { id } = await createLink(context, { slug: blocked });
  await createLink(context, { slug: other, tags: ["print"] });
  await take([id, give(BLOCKED)]);
  await page.goto("/app/links?tags=print");
  await row(page, other).waitFor();
  await page.getByText("1 link is blocked or has a warning for visitors.").waitFor();
  expect(await row(page, blocked).count()).toBe(0);
  await page.getByRole("button", { name: "Show them" }).click();
  await row(page, blocked).waitFor();
  expect(await row(page, other).count()).toBe(0);
});

it("says of a link that screening has blocked whom to ask", async () => {
  const { page, context } = await openSignedIn();
  const { id } = await createLink(context);
  await take([id, give(BLOCKED)]);
  await page.goto(`/app/links/${id}`);
  await page.getByText(/The automatic check of destinations decided this/).waitFor();
  expect(await page.getByRole("link", { name: "Appeal against it" }).count()).toBe(0);
});
