import { existsSync, readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { isLoopbackName } from "../../src/platform/lib/hosts.ts";
import { Failure } from "./command.ts";
import { givenVariables, hasFlag, optionValue } from "./options.ts";
import { readOrEmpty, writePrivateFile } from "./private-file.ts";

// The local routes, such as the outbox with its links to sign in, are for this machine. The Worker cannot see where a
// connection comes from, because `wrangler dev` passes on the CF-Connecting-IP of the caller. So a word of this variable
// switches the routes off where the server listens beyond this machine.

/** The variable that tells the Worker how it runs on a developer's machine (docs/configuration.md). */
export const WRANGLER_DEV = "WRANGLER_DEV";

/** Whether a `wrangler dev` with these arguments and this configuration can be reached from other machines. */
export function listensBeyond(args: readonly string[], configFile: string): boolean {
  if (hasFlag(args, "--tunnel") || optionValue(args, "--tunnel-name", "--tunnelName") !== undefined) return true;
  const ip = optionValue(args, "--ip") ?? readIp(configFile) ?? "localhost";
  return !isLoopbackName(ip) && ip !== "::1" && !ip.startsWith("127.");
}

function readIp(configFile: string): string | undefined {
  if (!existsSync(configFile)) return undefined;
  const { dev } = parse(readFileSync(configFile, "utf8")) as { dev?: { ip?: string } };
  return dev?.ip;
}

/** Whether the arguments decide about the routes themselves. */
export function namesWranglerDev(args: readonly string[]): boolean {
  return WRANGLER_DEV in givenVariables(args);
}

/** The error where no file can tell the Worker that the routes are off. */
export const cannotSwitchOff = () =>
  new Failure(
    `wrangler dev would serve the local routes, such as the outbox, to other machines, and here it reads no file that switches them off. Add --var "${WRANGLER_DEV}:on, network", or use npm start.`,
  );

// After the value are the ids of the wrangler processes that listen beyond this machine.
const LINE = new RegExp(`^${WRANGLER_DEV}=[^#\\n]*#?([ 0-9]*)\\n?`, "m");

/**
 * Writes into the file of variables that the Worker runs in `wrangler dev`, and that its local routes are off while a
 * process listens beyond this machine. All servers of a folder read the same file, so they stay off until the last such
 * process has ended.
 *
 * @param wranglerId The process whose server listens beyond this machine; null: its server does not.
 * @param isUnknown Whether nobody knows where the server listens. Then the routes are off too.
 */
export async function writeWranglerDev(file: string, wranglerId: number | null, isUnknown = false): Promise<void> {
  const content = await readOrEmpty(file);
  const line = LINE.exec(content);
  const alive = (line?.[1] ?? "").split(" ").filter((id) => id !== "" && isRunning(Number(id)));
  if (wranglerId !== null && !alive.includes(String(wranglerId))) alive.push(String(wranglerId));
  const value = alive.length > 0 || isUnknown ? "on, network" : "on";
  const wanted = `${WRANGLER_DEV}="${value}"${alive.length > 0 ? ` # ${alive.join(" ")}` : ""}\n`;
  // Each change of the file makes the servers start again.
  if ((line?.[0] ?? "") === wanted) return;
  const others = content.replace(LINE, "").replace(/([^\n])$/, "$1\n");
  await writePrivateFile(file, others + wanted);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
