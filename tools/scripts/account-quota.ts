import { emailKey } from "../../src/platform/mail/email-address.ts";
import { literal } from "./account-sql.ts";
import { missingIn } from "./announce.ts";
import type { Target } from "./backup/target.ts";
import { Failure } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";
import { DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT, DEFAULT_MAX_LINKS_PER_ACCOUNT } from "../../src/access/usage/limits.ts";

/** The quotas to set. undefined: unchanged; null: the default. */
export interface NewQuotas {
  links: number | null | undefined;
  linkBytes: number | null | undefined;
}

interface FoundAccount {
  uuid: string;
  name: string;
  links: number;
  link_bytes: number;
  max_links: number | null;
  max_link_bytes: number | null;
}

/** Sets the quotas of an account, named by its name or its id, and prints what it uses of them. */
export async function setQuotas(target: Target, run: Wrangler, account: string, quotas: NewQuotas): Promise<void> {
  const { uuid } = await findAccount(target, run, account);
  const assignments = [...assignment("max_links", quotas.links), ...assignment("max_link_bytes", quotas.linkBytes)];
  if (assignments.length > 0) {
    const isAccount = `account_id = (SELECT id FROM accounts WHERE uuid = ${literal(uuid)})`;
    await queryDatabase(target, run, `UPDATE account_usage SET ${assignments.join(", ")} WHERE ${isAccount}`);
  }
  const found = await findAccount(target, run, uuid);
  console.log(
    [
      `Account "${found.name}" (${found.uuid})`,
      describeQuota("links", found.links, found.max_links, DEFAULT_MAX_LINKS_PER_ACCOUNT),
      describeQuota("bytes of links", found.link_bytes, found.max_link_bytes, DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT),
    ].join("\n"),
  );
}

/** Throws if not exactly one account has this id or name, or is the personal account of this address. */
export async function findAccount(target: Target, run: Wrangler, account: string): Promise<FoundAccount> {
  const found = await queryDatabase<FoundAccount>(
    target,
    run,
    `SELECT a.uuid, a.name, u.links, u.link_bytes, u.max_links, u.max_link_bytes
     FROM accounts a JOIN account_usage u ON u.account_id = a.id
     WHERE a.uuid = ${literal(account)} OR a.name = ${literal(account)}
       OR a.personal_user_id = (SELECT id FROM users WHERE email_key = ${literal(emailKey(account))}) ORDER BY a.id`,
  );
  const [first, ...others] = found;
  if (first === undefined)
    throw missingIn(target, `There is no account with the name, the id or the address ${account}`);
  if (others.length === 0) return first;
  const ids = found.map(({ uuid }) => `  ${uuid}`).join("\n");
  throw new Failure(`${found.length} accounts have the name ${account}. Name one by its id:\n${ids}`);
}

function assignment(column: string, value: number | null | undefined): string[] {
  return value === undefined ? [] : [`${column} = ${value ?? "NULL"}`];
}

function describeQuota(name: string, used: number, own: number | null, byDefault: number): string {
  return `  ${name}: ${used} of ${own ?? byDefault}${own === null ? " (default)" : ""}`;
}
