import { request } from "node:http";
import { freshAddress } from "../../support/address.ts";

export interface Exchange {
  address: URL;
  method: string;
  /** Sent unchanged in the request line. */
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  json(): unknown;
}

/** Node omits this header for methods that usually have no body; the body would then be read as the next request. */
function lengthOf(body: string | Uint8Array | undefined): Record<string, string> {
  return body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
}

/** A server that sends nothing for this long has died or hangs. No test waits that long for an answer. */
const SILENCE_MS = 100_000;

/** Sends a request over a real socket, and ends a WebSocket that it opens. `fetch` would follow redirects, normalize the path and refuse a Host header. */
export function exchange({ address, method, path, headers, body }: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address.hostname,
        port: address.port,
        method,
        path,
        maxHeaderSize: 128 * 1_024,
        headers: { "CF-Connecting-IP": freshAddress(), ...lengthOf(body), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Answer["headers"],
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers as Answer["headers"], text: "", json: () => null });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment at which this request was sent over it.
      const repeats = sent.reusedSocket && error.code === "ECONNRESET";
      if (repeats) resolve(exchange({ address, method, path, headers, body }));
      else reject(error);
    });
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`${method} ${path}: no answer in ${SILENCE_MS} ms`)));
    sent.end(body);
  });
}
