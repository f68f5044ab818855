import { interceptD1 } from "./d1-client.ts";

/**
 * Runs `run` while the response to the first batch with a statement that contains `text` is lost: the database commits the
 * batch, and the Worker gets a transient error. Returns how often the batch was sent.
 */
export async function loseFirstResponse(text: string, run: () => Promise<unknown>): Promise<number> {
  let sent = 0;
  await interceptD1(async (sql, send) => {
    const output = await send();
    if (String(sql).includes(text) && sent++ === 0) throw new Error("D1_ERROR: Network connection lost.");
    return output;
  }, run);
  return sent;
}
