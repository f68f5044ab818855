import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { onTestFinished } from "vitest";
import type { ClickRecord } from "../../../../src/click-log/click-record.ts";
import worker from "../../../../src/index.ts";
import { buildRequest, type CallOptions } from "../../../support/api.ts";
import { until } from "../../../support/until.ts";

/** A client's end of a WebSocket with live clicks. */
export interface Watcher {
  socket: WebSocket;
  /** Those of the response that opened it. */
  headers: Headers;
  expiresAt: number;
  /** The messages with clicks. */
  messages: { clicks: ClickRecord[]; total: number }[];
  pongs: number;
  /** The code and the reason with which the service closed it. */
  closed: { code: number; reason: string } | null;
}

/** Asks for a WebSocket. */
export function ask(query: string, { headers, ...options }: CallOptions = {}): Promise<Response> {
  const request = buildRequest("GET", `/api/clicks/live${query}`, {
    ...options,
    headers: { Upgrade: "websocket", ...headers },
  });
  // Its background work is not awaited: that of a WebSocket lasts as long as it is open.
  return Promise.resolve(worker.fetch(request, env, createExecutionContext()));
}

/** Opens a WebSocket and waits for its first message. */
export async function watch(query: string, options: CallOptions = {}): Promise<Watcher> {
  const response = await ask(query, options);
  const { webSocket } = response;
  if (webSocket === null) throw new Error(`${response.status} ${await response.text()}`);
  const watcher: Watcher = {
    socket: webSocket,
    headers: response.headers,
    expiresAt: 0,
    messages: [],
    pongs: 0,
    closed: null,
  };
  webSocket.addEventListener("message", ({ data }) => {
    if (data === "pong") watcher.pongs++;
    else {
      const message = JSON.parse(data as string) as { expiresAt: number } | Watcher["messages"][number];
      if ("expiresAt" in message) watcher.expiresAt = message.expiresAt;
      else watcher.messages.push(message);
    }
  });
  webSocket.addEventListener("close", ({ code, reason }) => {
    watcher.closed = { code, reason };
  });
  webSocket.accept();
  onTestFinished(async () => {
    webSocket.close();
    await until(() => watcher.closed !== null);
  });
  await until(() => watcher.expiresAt !== 0);
  return watcher;
}

/** All that was sent before has arrived once the answer to a ping has. */
export async function arrived(...watchers: Watcher[]): Promise<void> {
  for (const watcher of watchers) {
    if (watcher.closed !== null) continue;
    const before = watcher.pongs;
    watcher.socket.send("ping");
    await until(() => watcher.pongs > before || watcher.closed !== null);
  }
}
