import { connect, createServer, type AddressInfo } from "node:net";

/** Passes connections on to `address`, with another Host header: clients of WebSockets cannot choose it. */
export async function startHostProxy(address: URL, host: string): Promise<{ origin: string; stop: () => void }> {
  const server = createServer((client) => {
    const upstream = connect(Number(address.port), address.hostname);
    client.once("data", (head) => {
      upstream.write(head.toString("latin1").replace(/^host: .*$/im, `Host: ${host}`), "latin1");
      client.pipe(upstream);
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => socket.destroy());
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}
