import { newIds } from "../../../src/lib/uuid.ts";
import { MAX_PAGE_SIZE_ITEMS, MAX_SLUG_CHARS, MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../../src/limits.ts";
import { withSuffix } from "../../../src/links/slugs/random-slug.ts";
import { NOW } from "../../instrumented/year.ts";
import type { FilledAccount } from "../account.ts";
import { randomText } from "../bodies.ts";
import type { WorstCall } from "./call.ts";
import { MAX_UTM_CHARS, NUMBERED_SLUG_VARIANTS } from "../../../src/links/limits.ts";
import { MAX_UTM_TEMPLATE_NAME_CHARS } from "../../../src/utm-templates/limits.ts";

// What a form for links calls: checks of slugs, and UTM templates.

const SLUG = "x".repeat(MAX_SLUG_CHARS);

/** Takes the slug and the variants that its check looks up, unless they are taken. */
async function takeSlugs({ server, accountId }: FilledAccount): Promise<void> {
  const numbered = Array.from({ length: NUMBERED_SLUG_VARIANTS }, (_, index) => withSuffix(SLUG, index + 2));
  const move = server.db.prepare(
    `UPDATE links SET slug = ?2, domain = '' WHERE seq = (SELECT max(seq) FROM links WHERE account_id = ?1 AND length(slug) < ?3)
       AND NOT EXISTS (SELECT 1 FROM links WHERE domain = '' AND slug_key = ?2)`,
  );
  for (const slug of [SLUG, ...numbered]) await move.bind(accountId, slug, MAX_SLUG_CHARS).run();
}

const largestUtm = () => {
  const text = () => randomText(MAX_UTM_CHARS);
  return { source: text(), medium: text(), campaign: text(), term: text(), content: text() };
};

const largestTemplate = () => JSON.stringify({ name: randomText(MAX_UTM_TEMPLATE_NAME_CHARS), utm: largestUtm() });

/** Gives the account exactly this number of the largest templates; returns their ids. */
async function fillTemplates({ server, accountId }: FilledAccount, count: number): Promise<string[]> {
  const ids = newIds(NOW, count);
  const insert = server.db.prepare(
    `INSERT INTO utm_templates (id, account_id, name, name_key, utm, created_at, updated_at)
     SELECT value, ?2, value, value, ?3, ?4, ?4 FROM json_each(?1)`,
  );
  await server.db.batch([
    server.db.prepare("DELETE FROM utm_templates WHERE account_id = ?1").bind(accountId),
    insert.bind(JSON.stringify(ids), accountId, JSON.stringify(largestUtm()), NOW),
  ]);
  return ids;
}

const ofLastTemplate = (method: "PATCH" | "DELETE"): WorstCall => ({
  what: `the largest of ${MAX_UTM_TEMPLATES_PER_ACCOUNT} templates`,
  prepare: async (account) => {
    const [id] = await fillTemplates(account, MAX_UTM_TEMPLATES_PER_ACCOUNT);
    const body = method === "PATCH" ? { body: largestTemplate() } : {};
    return { method, path: `/api/utm-templates/${id}`, ...body };
  },
  isScarce: true,
});

export const linkFormCalls = {
  "GET /api/slugs/:slug": [
    {
      what: "a slug that is taken with all its numbered variants",
      prepare: async (account) => {
        await takeSlugs(account);
        return { method: "GET", path: `/api/slugs/${SLUG}` };
      },
    },
  ],
  "GET /api/utm-templates": [
    {
      what: "a page of 100 templates of the largest size",
      prepare: async (account) => {
        await fillTemplates(account, MAX_UTM_TEMPLATES_PER_ACCOUNT);
        return { method: "GET", path: `/api/utm-templates?limit=${MAX_PAGE_SIZE_ITEMS}` };
      },
    },
  ],
  "POST /api/utm-templates": [
    {
      what: "the hundredth template",
      prepare: async (account) => {
        await fillTemplates(account, MAX_UTM_TEMPLATES_PER_ACCOUNT - 1);
        return { method: "POST", path: "/api/utm-templates", body: largestTemplate() };
      },
      isScarce: true,
    },
  ],
  "PATCH /api/utm-templates/:id": [ofLastTemplate("PATCH")],
  "DELETE /api/utm-templates/:id": [ofLastTemplate("DELETE")],
} satisfies Record<string, WorstCall[]>;
