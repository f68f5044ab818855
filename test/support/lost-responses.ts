import { clientPrototype } from "./d1-meter.ts";

/**
 * Runs `run` while the response to the first batch with a statement that contains `sql` is lost: the database commits the
 * batch, and the Worker gets a transient error. Returns how often the batch was sent.
 */
export async function loseFirstResponse(sql: string, run: () => Promise<unknown>): Promise<number> {
  const client = clientPrototype();
  const original = client._send;
  let sent = 0;
  client._send = async function send(...input) {
    const output = await original.apply(this, input);
    if (String(input[1]).includes(sql) && sent++ === 0) throw new Error("D1_ERROR: Network connection lost.");
    return output;
  };
  try {
    await run();
  } finally {
    client._send = original;
  }
  return sent;
}
