// Uses the SDK in any runtime: `node sample.js`, with TERN_API_KEY and TERN_BASE_URL.
import { Tern, TernError, webhooks } from "@tern/sdk";

/** Prints one line for each part that works. */
export async function useSdk(client, print) {
  const { id, shortUrl } = await client.links.create({ url: "https://example.com/", tags: ["sample"] });
  print(`created ${new URL(shortUrl).origin}`);
  await client.links.update(id, { title: "Grüße" });
  for await (const link of client.links.list({ tag: ["sample"] })) print(`listed ${link.title}`);
  const image = await client.qrCodes.getForLink(id, { format: "png" });
  print(`downloaded ${new TextDecoder().decode((await image.arrayBuffer()).slice(1, 4))}`);
  const visit = await client.redirects.follow(shortUrl.split("/").at(-1));
  print(`followed ${visit.status} ${visit.headers.get("Location")}`);
  await client.links.delete(id);
  const error = await client.links.get(id).catch((thrown) => thrown);
  print(`failed ${error instanceof TernError} ${error.status} ${error.code}`);
  const aborted = await client.usage.get({ signal: AbortSignal.abort() }).catch((thrown) => thrown);
  print(`aborted ${aborted.name}`);
  const late = await client.usage.get({ timeoutMs: 0, maxRetries: 0 }).catch((thrown) => thrown);
  print(`late ${late.code}`);
  const body = '{"event":"webhook.test","timestamp":1,"data":{"webhookId":"x"}}';
  const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDyVSbOPk1KFE=";
  print(`verified ${(await webhooks.verify(body, await webhooks.sign(body, secret), secret)).event}`);
}

if (globalThis.process?.env?.TERN_API_KEY !== undefined) await useSdk(new Tern(), console.log);
