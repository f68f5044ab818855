import { env } from "cloudflare:workers";
import { interceptD1 } from "../../support/d1-client.ts";
import type { Reply } from "./support.ts";

/** Ends the confirmations of all sessions when the request sends a batch with this SQL, as another request may do. */
export async function endConfirmationsBefore(sql: string, request: () => Promise<Reply>): Promise<Reply> {
  let hasEnded = false;
  const replies: Reply[] = [];
  await interceptD1(
    async (sent, send) => {
      if (!hasEnded && JSON.stringify(sent).includes(sql)) {
        hasEnded = true;
        await env.DB.prepare("UPDATE sessions SET confirmed_at = 0").run();
      }
      return send();
    },
    async () => void replies.push(await request()),
  );
  const [reply] = replies;
  if (!hasEnded || reply === undefined) throw new Error(`no batch had ${sql}`);
  return reply;
}
