import { createServer, type AddressInfo } from "node:net";
import { Failure, WRONG_USAGE } from "./command.ts";

const FIRST_PORT = 8787;
const LAST_PORT = 65_535;

/** The port that was asked for, if it is free (0: any that is), or else the first free one from {@link FIRST_PORT} up. */
export async function choosePort(asked: string | undefined, ip: string | undefined): Promise<number> {
  const hosts = ip === undefined || ip === "localhost" || ip === "*" ? ["127.0.0.1", "::1"] : [ip];
  if (asked === "0") return anyPort();
  if (asked !== undefined) return askedPort(asked, hosts);
  for (let port = FIRST_PORT; port <= LAST_PORT; port++) if (await isFree(port, hosts)) return port;
  throw new Failure(`No port from ${FIRST_PORT} up is free.`);
}

async function askedPort(asked: string, hosts: string[]): Promise<number> {
  const port = Number(asked);
  if (!/^\d+$/.test(asked) || port > LAST_PORT) {
    throw new Failure(`--port must be a number from 0 to ${LAST_PORT}, not "${asked}".`, WRONG_USAGE);
  }
  if (await isFree(port, hosts)) return port;
  throw new Failure(
    `Port ${port} is in use (or not open to this user). Stop the program that has it, choose another one with\n` +
      "  npm start -- --port NUMBER\nor leave --port out to get the first free one.",
  );
}

async function anyPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isFree(port: number, hosts: string[]): Promise<boolean> {
  for (const host of hosts) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without such an address (IPv6, say) has nobody listening there either.
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "EADDRINUSE" && error.code !== "EACCES"),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
