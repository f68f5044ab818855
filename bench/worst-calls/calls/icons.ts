import { NOW } from "../../instrumented/year.ts";
import type { WorstCall } from "./call.ts";
import { personCall } from "./person.ts";

// The icons of destinations.

export const iconCalls = {
  "GET /api/account/icons/:id": [
    personCall("an icon that is in no cache", async ({ server, accountId, person }, n) => {
      const id = await server.db
        .prepare(
          `INSERT INTO destinations (link_id, link_seq, account_id, due_at, visited_hash, outcome, icon, final_host, response_status, checked_at)
           SELECT id, seq, account_id, 9e12, url_hash, 'working', ?2, 'icons.dev', 200, ?3 FROM links WHERE account_id = ?1 LIMIT 1
           ON CONFLICT DO UPDATE SET icon = excluded.icon RETURNING link_id`,
        )
        .bind(accountId, `https://icons.dev/${n}-${crypto.randomUUID()}.png`, NOW)
        .first<string>("link_id");
      return { method: "GET", path: `/api/account/icons/${id}`, account: person.team };
    }),
  ],
} satisfies Record<string, WorstCall[]>;
