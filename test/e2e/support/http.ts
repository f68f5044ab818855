import { request } from "node:http";

export interface Exchange {
  address: URL;
  method: string;
  /** As it stands in the request line. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  json(): unknown;
}

let lastAddress = 0;

/** An IP address that no other request of this process has, so that rate limits do not meet. */
function freshAddress(): string {
  lastAddress++;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** Node does not say it for methods that usually have no body, and the body would be taken for the next request. */
function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
}

/** One request over a real socket, byte for byte: `fetch` would follow redirects, tidy the path and refuse a Host. */
export function exchange({ address, method, path, headers, body }: Exchange): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: address.hostname,
        port: address.port,
        method,
        path,
        maxHeaderSize: 64 * 1_024,
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
    sent.on("error", reject);
    sent.end(body);
  });
}
