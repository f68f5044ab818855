import { announce } from "./announce.ts";
import { readOnlyTarget, TARGET_USAGE } from "./backup/target.ts";
import { runCommand } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import { wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run keys -- [--remote | --persist-to DIR] [--env NAME]

Counts what is stored under each key of ENCRYPTION_KEYS. A key that is still used must not be removed.
${TARGET_USAGE}`;

interface KeyUse {
  key: string;
  passwords: number;
  secrets: number;
  pages: number;
  apps: number;
}

// A deleted link can be restored for some days. The former secrets of a webhook sign for a day. D1 allows five terms in a UNION.
const COUNT_USES = `
  WITH of_links AS MATERIALIZED (
    SELECT password_hash AS value, 'password' AS kind FROM links WHERE password_hash IS NOT NULL
    UNION ALL SELECT link ->> 'password_hash', 'password' FROM deleted_links WHERE link ->> 'password_hash' IS NOT NULL),
  of_pages AS MATERIALIZED (
    SELECT password_hash AS value, 'password' AS kind FROM shared_pages WHERE password_hash IS NOT NULL
    UNION ALL SELECT token, 'page' FROM shared_pages),
  of_webhooks AS MATERIALIZED (
    SELECT secret AS value, 'secret' AS kind FROM webhooks
    UNION ALL SELECT j.value ->> 'secret', 'secret' FROM webhooks, json_each(old_secrets) j WHERE j.value ->> 'until' > $now)
  SELECT substr(value, 1, instr(value, '.') - 1) AS key,
    sum(kind = 'password') AS passwords, sum(kind = 'secret') AS secrets, sum(kind = 'page') AS pages, sum(kind = 'app') AS apps
  FROM (SELECT * FROM of_links UNION ALL SELECT * FROM of_pages UNION ALL SELECT * FROM of_webhooks
    UNION ALL SELECT secret, 'app' FROM totp_factors)
  GROUP BY 1 ORDER BY 1`;

/** `npm run keys`: reports what still uses a key. */
export async function reportKeys(args: string[], run: Wrangler = wrangler): Promise<void> {
  const target = readOnlyTarget(args, USAGE);
  announce(target);
  const sql = COUNT_USES.replace("$now", String(Date.now()));
  const uses = await queryDatabase<KeyUse>(target, run, sql);
  const width = Math.max(3, ...uses.map(({ key }) => key.length));
  const headings = ["passwords", "webhook secrets", "shared pages", "authenticator apps"];
  const line = (key: string, counts: readonly (number | string)[]) =>
    [key.padEnd(width), ...counts.map((count, n) => String(count).padStart(headings[n]?.length ?? 0))].join("  ");
  console.log(
    [
      line("key", headings),
      ...uses.map(({ key, passwords, secrets, pages, apps }) => line(key, [passwords, secrets, pages, apps])),
      "Nothing is stored under a key that is not listed.",
    ].join("\n"),
  );
}

if (import.meta.main) await runCommand(reportKeys, USAGE);
