import { describe, expect, it } from "vitest";
import { ACTIONS } from "../../tools/scripts/account-arguments.ts";
import { blocksOf, PAGES, readPage, tableAfter } from "./support/pages.ts";

/** The pages that somebody follows. The others record the past. */
const FOLLOWED = PAGES.filter((page) => page !== "CHANGELOG.md" && !page.startsWith("docs/adr/"));

/** The lines of blocks and the code spans of a page, which may continue in the next line. */
function textsOf(page: string): string[] {
  const lines = blocksOf(page).flatMap(({ text }) => text.split("\n"));
  const rest = readPage(page).replaceAll(/^( *)```[^]*?^\1```$/gm, "");
  const spans = Array.from(rest.matchAll(/`([^`]+)`/g), ([, span = ""]) => span.replaceAll(/\s+/g, " "));
  return [...lines.map((line) => line.trim()), ...spans];
}

/** Commands for one of several installations. Without arguments, such as `npm run backup`, they are only named. */
const TARGETED = /npm run (account|backup|restore|health|keys) -- |wrangler (-- )?d1 (execute|export) /;
/** A command of `npm run account` without its beginning, such as `enable ACCOUNT`. */
const SHORTENED = new RegExp(`^(${ACTIONS.join("|")}) (--|[A-Z])`);
const NAMES_PLACE = / --(remote|persist-to|local)\b/;

/** What wrangler does without the settings of an installation. */
const WITHOUT_INSTALLATION = /^npx wrangler (login|dev\b|.* --(help|config|name) ?)/;

describe("the commands in the documents", () => {
  it("say whether they are for the deployed service or for a local database", () => {
    const vague = FOLLOWED.flatMap((page) => {
      const isAboutAccounts = readPage(page).includes("npm run account");
      return textsOf(page)
        .filter((text) => TARGETED.test(text) || (isAboutAccounts && SHORTENED.test(text)))
        .filter((text) => !NAMES_PLACE.test(text))
        .map((text) => `${page}: ${text}`);
    });
    expect(vague).toEqual([]);
  });

  it("give wrangler the settings of the installation", () => {
    const wrong = FOLLOWED.flatMap((page) =>
      textsOf(page)
        .filter((text) => text.startsWith("npx wrangler ") && !WITHOUT_INSTALLATION.test(text))
        .map((text) => `${page}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("the alerts", () => {
  const alerts = tableAfter("docs/operations.md", "### Alerts").map(({ names }) => names[0] ?? "");
  const inRunbook = tableAfter("docs/runbook.md", "## The alerts");

  it("have a row in the runbook, in the same order", () => {
    expect(alerts).toHaveLength(7);
    expect(inRunbook.map(({ names }) => names[0])).toEqual(alerts);
  });

  it("have a saved query, which is that of the runbook", () => {
    const saved = tableAfter("docs/operations.md", "### Saved queries").map(({ cells }) => {
      const [, filter = "", visualization = "", group = ""] = cells;
      const shown = `${visualization.charAt(0).toLowerCase()}${visualization.slice(1)}`;
      return [filter, shown, ...(group === "" ? [] : [`group by ${group}`])].join(", ");
    });
    for (const { names, cells } of inRunbook) {
      expect(cells[1]).toContain(`\`event\` equals \`${names[0]}\`, `);
      expect(saved).toContain(cells[1]);
    }
  });

  it("are all in the query of a monitor", () => {
    const query = blocksOf("docs/operations.md").find(({ text }) => text.includes("/telemetry/query"))?.text;
    for (const alert of alerts) expect(query).toContain(alert);
  });
});
