import { createServer } from "node:net";
import { Failure, WRONG_USAGE } from "./command.ts";

const FIRST_PORT = 8787;
const LAST_PORT = 65_535;
/**
 * The range for any free port. The server listens seconds after the choice, and until then no connection may get the port:
 * systems take the ports of connections from 32768 up (Linux) or from 49152 up (others).
 */
const ANY_FROM = 20_000;
const ANY_BELOW = 32_768;

/**
 * Returns the requested port; "0" is any free port, and undefined the first free one from {@link FIRST_PORT} up. Throws
 * if the requested port is not free.
 */
export async function choosePort(requested: string | undefined, ip: string | undefined): Promise<number> {
  const hosts = hostsOf(ip);
  if (requested === "0") return anyPort(hosts);
  if (requested !== undefined) return requestedPort(requested, hosts);
  for (let port = FIRST_PORT; port <= LAST_PORT; port++) if (await isFree(port, hosts)) return port;
  throw new Failure(`No port from ${FIRST_PORT} on is free.`);
}

function hostsOf(ip: string | undefined): string[] {
  if (ip === undefined || ip === "localhost") return ["127.0.0.1", "::1"];
  return ip === "*" ? ["0.0.0.0", "::"] : [ip];
}

async function requestedPort(requested: string, hosts: string[]): Promise<number> {
  const port = Number(requested);
  if (!/^\d+$/.test(requested) || port > LAST_PORT) {
    throw new Failure(`--port must be a number from 0 to ${LAST_PORT}, not "${requested}".`, WRONG_USAGE);
  }
  if (await isFree(port, hosts)) return port;
  throw new Failure(
    `Port ${port} is in use, or this user may not open it. Stop the program that uses it, choose another port with\n` +
      "  npm start -- --port NUMBER\nor leave out --port to get the first free port.",
  );
}

/** A random one: commands that start at the same time rarely choose the same. */
async function anyPort(hosts: string[]): Promise<number> {
  for (let tries = ANY_FROM; tries < ANY_BELOW; tries++) {
    const port = ANY_FROM + Math.floor(Math.random() * (ANY_BELOW - ANY_FROM));
    if (await isFree(port, hosts)) return port;
  }
  throw new Failure(`No port from ${ANY_FROM} to ${ANY_BELOW - 1} is free.`);
}

async function isFree(port: number, hosts: string[]): Promise<boolean> {
  for (const host of hosts) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // On a machine without this address (such as IPv6), nothing else listens there either.
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "EADDRINUSE" && error.code !== "EACCES"),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
