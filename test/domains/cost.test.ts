import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Domain } from "../../src/domains/contract.ts";
import { measureD1, type Measured } from "../support/d1-meter.ts";
import { START } from "../webhooks/support.ts";
import { addDomain, publishProof, startDomains, verify } from "./support.ts";

const rows = ({ rowsRead, rowsWritten }: Measured) => ({ rowsRead, rowsWritten });

it("the cost of adding, verifying, checking and deleting does not depend on the number of other accounts' domains", async () => {
  const { service, ann, bob } = await startDomains();
  const costs = [];
  for (const others of [0, 2_000]) {
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
       INSERT INTO domains (id, account_id, domain, token, status, check_at, hostname_at, created_at, updated_at)
       SELECT 'id' || n, ?1, 'd' || n || '.acme.com', '', 'verified', ?2, ?2, 0, 0 FROM n WHERE n <= ?3`,
    )
      .bind(bob.accountId, START + 1_000_000, others)
      .run();
    // Use the key once before, since the first use in a minute writes `lastUsedAt`.
    await service.call("GET", "/api/domains", { key: ann.key });
    let domain: Domain | undefined;
    const add = await measureD1(async () => (domain = await addDomain(service, ann, `go${others}.acme.com`)));
    const added = domain as unknown as Domain;
    await publishProof(added);
    const verified = await measureD1(() => verify(service, ann, added));
    const cron = await measureD1(() => service.cron());
    const deleted = await measureD1(() => service.call("DELETE", `/api/domains/${added.id}`, { key: ann.key }));
    costs.push([add, verified, deleted, cron].map(rows));
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]?.slice(0, 3)).toEqual([
    // Three or four rows of each are the key, which every statement of a change looks up again.
    { rowsRead: 11, rowsWritten: 5 },
    { rowsRead: 16, rowsWritten: 5 },
    { rowsRead: 15, rowsWritten: 3 },
  ]);
});
