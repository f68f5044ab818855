import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { RefusedError } from "../errors.ts";

const HOST = "127.0.0.1";
const PATH = "/callback";
/** The redirect URI of the registration. The service accepts it with any port (RFC 8252, 7.3). */
export const REGISTERED_REDIRECT_URI = `http://${HOST}${PATH}`;

/** Time to sign in, or to sign up by mail, and to decide. */
const LONGEST_WAIT_MS = 15 * 60_000;

/** A request that is not the answer to this login. It is refused, and the true one is waited for. */
export class ForeignAnswerError extends Error {}

/** A server of this computer alone, to which the browser brings the answer. */
export interface Loopback<Result> {
  redirectUri: string;
  /** What `handle` returned for the answer. Throws what it threw, or if no answer comes. */
  result: Promise<Result>;
  stop: () => void;
}

/**
 * Starts it on a free port. `handle` gets the URL of the answer, and its result decides what the page in the browser says. It throws a
 * {@link ForeignAnswerError} for a request of somebody else.
 */
export async function startLoopback<Result>(handle: (url: URL) => Promise<Result>): Promise<Loopback<Result>> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, HOST, resolve));
  const host = `${HOST}:${(server.address() as AddressInfo).port}`;
  let timer: NodeJS.Timeout | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    timer = setTimeout(
      () => reject(new RefusedError("Nobody has decided in the browser. Try again.")),
      LONGEST_WAIT_MS,
    );
    server.on("request", (request, response) => {
      void answer(request, response, host, handle).then((found) => found && resolve(found.result), reject);
    });
  });
  const stop = () => {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  };
  return { redirectUri: `http://${host}${PATH}`, result, stop };
}

/** Returns undefined for a request that is not the answer. */
async function answer<Result>(
  request: IncomingMessage,
  response: ServerResponse,
  host: string,
  handle: (url: URL) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  // A page whose name leads here (DNS rebinding) sends its own name.
  if (request.headers.host !== host) return void respond(response, 403, "This address is for one login alone.");
  const url = new URL(request.url ?? "", `http://${host}`);
  if (url.pathname !== PATH || request.method !== "GET") return void respond(response, 404, "There is nothing here.");
  try {
    const result = await handle(url);
    await respond(response, 200, "You are logged in. You can close this window.");
    return { result };
  } catch (error) {
    if (error instanceof ForeignAnswerError) return void respond(response, 400, "This is not the answer to the login.");
    await respond(response, 200, "You are not logged in: the terminal says why. You can close this window.");
    throw error;
  }
}

function respond(response: ServerResponse, status: number, text: string): Promise<void> {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    Connection: "close",
  });
  const page = `<!doctype html><html lang="en"><title>Tern command line</title><h1>Tern</h1><p>${text}</p></html>\n`;
  // Also if the browser has gone away.
  return new Promise((resolve) => void response.once("close", resolve).end(page));
}
