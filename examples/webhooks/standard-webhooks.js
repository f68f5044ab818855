// Receives webhooks with the library of Standard Webhooks: npm install standardwebhooks;
// WEBHOOK_SECRET=whsec_… node standard-webhooks.js
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const { WEBHOOK_SECRET = "", PORT = "3000" } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/** The event, or null if the signature is wrong or older than 5 minutes. */
function verify(body, headers) {
  try {
    return webhook.verify(body, headers);
  } catch {
    return null;
  }
}

/** In production, keep these ids in your database. */
const processed = new Set();

async function receive(request, response) {
  const verified = verify(await text(request), request.headers);
  response.writeHead(verified === null ? 401 : 204).end();
  const id = request.headers["webhook-id"];
  if (verified === null || processed.has(id)) return;
  processed.add(id);
  console.log(verified.event, verified.data);
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
}).listen(Number(PORT), "127.0.0.1");
