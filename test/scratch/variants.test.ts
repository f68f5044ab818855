import { env } from "cloudflare:workers";
import { it } from "vitest";
import { createAccount } from "../support/api.ts";
import { insertManyLinks } from "../support/many-links.ts";
import { isAlias } from "../../src/links/store/aliases.ts";
import { isVerifiedFor, noneVerified } from "../../src/links/store/verified-domains.ts";
it("variants", async () => {
  const { accountId } = await createAccount();
  await insertManyLinks(env.DB, accountId, 100);
  for (const n of [1, 10]) {
    const items = JSON.stringify(
      Array.from({ length: n }, (_, i) => ({
        position: i,
        bytes: 600,
        seq: String(3765111127045816428n + BigInt(i)),
        domain: "",
        slug: `q-${i}`,
        external_id: `e-${i}`,
        hosts: [`h-${i}.example`],
      })),
    );
    const v = (c: string) => `j.value ->> '${c}'`;
    const try_ = async (label: string, sql: string) => {
      try {
        const r = await env.DB.prepare(sql).bind(accountId, items).run();
        console.log(n, label, r.meta.rows_read, r.meta.rows_written);
      } catch (e) {
        console.log(n, label, String(e));
      }
    };
    const conds: [string, string][] = [
      ["none", "true"],
      ["hosts", noneVerified("j.value, '$.hosts'")],
      ["dom", `(${v("domain")} = '' OR ${isVerifiedFor("?1", v("domain"))})`],
      ["alias", `NOT ${isAlias(v("domain"), v("slug"), "?1")}`],
      ["slug", `NOT EXISTS (SELECT 1 FROM links l WHERE l.domain = ${v("domain")} AND l.slug = ${v("slug")})`],
      ["seq", `NOT EXISTS (SELECT 1 FROM links l WHERE l.seq = CAST(${v("seq")} AS INTEGER))`],
      ["ext", `NOT EXISTS (SELECT 1 FROM links l WHERE l.account_id = ?1 AND l.external_id = ${v("external_id")})`],
    ];
    for (const [l, c] of conds)
      await try_(
        `cond ${l}`,
        `SELECT count(*), sum(${v("bytes")}), json_group_array(${v("position")}) FROM json_each(?2) j WHERE ${c}`,
      );
    const all = conds.map(([, c]) => c).join(" AND ");
    const ins = `SELECT ${v("position")} AS position, ${v("bytes")} AS bytes FROM (SELECT value FROM json_each(?2)) j WHERE ${all}`;
    await try_("insertable", ins);
    await try_("agg", `SELECT count(*), sum(bytes), json_group_array(position) FROM (${ins})`);
    await try_(
      "window",
      `SELECT count(*), sum(bytes), json_group_array(position) FROM (SELECT position, bytes, row_number() OVER w, sum(bytes) OVER w AS t FROM (${ins}) WINDOW w AS (ORDER BY position))`,
    );
    await try_(
      "upd",
      `UPDATE account_usage SET links = account_usage.links + n.links, decision = n.p FROM (SELECT count(*) AS links, json_group_array(position) AS p FROM (${ins})) n WHERE account_id = ?1 AND n.links > 0`,
    );
    await try_(
      "upd-subq",
      `UPDATE account_usage AS u SET (links, link_bytes, decision) = (SELECT u.links + count(*), u.link_bytes + sum(bytes), json_group_array(position) FROM (${ins})) WHERE account_id = ?1`,
    );
    await try_("upd-empty", `UPDATE account_usage AS u SET links = links + 1 WHERE account_id = ?1 AND ?2 <> ''`);
  }
});
