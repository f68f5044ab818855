import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listensBeyond, namesWranglerDev, writeWranglerDev } from "../../../tools/scripts/local-routes.ts";
import { temporaryFolder } from "./support/command.ts";

const folder = temporaryFolder();

test("a server listens beyond this machine with another address, in each form, and with a tunnel", () => {
  const config = join(folder, "plain.toml");
  writeFileSync(config, 'name = "tern"\n');
  const beyond = (...args: string[]) => listensBeyond(args, config);
  for (const ip of ["0.0.0.0", "::", "*", "192.168.1.7", "fe80::1", "tern.example"]) {
    expect([ip, beyond("--ip", ip), beyond(`--ip=${ip}`)]).toEqual([ip, true, true]);
  }
  for (const ip of ["localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"]) {
    expect([ip, beyond("--ip", ip)]).toEqual([ip, false]);
  }
  expect(beyond()).toBe(false);
  expect([beyond("--tunnel"), beyond("--tunnel-name", "x")]).toEqual([true, true]);
});

test("the address can stand in the configuration", () => {
  const config = join(folder, "wide.toml");
  writeFileSync(config, '[dev]\nip = "0.0.0.0"\n');
  expect(listensBeyond([], config)).toBe(true);
  expect(listensBeyond(["--ip=localhost"], config)).toBe(false);
});

test("the arguments can decide themselves", () => {
  expect(namesWranglerDev(["--var", "A:1", "WRANGLER_DEV:on, network"])).toBe(true);
  expect(namesWranglerDev(["--var", "A:1"])).toBe(false);
});

test("the routes are off until the last process that listens beyond this machine has ended", async () => {
  const file = join(folder, ".dev.vars");
  const read = () => readFileSync(file, "utf8");
  writeFileSync(file, 'ENCRYPTION_KEYS="k1:x"');
  // No process has this number: it is above the highest one.
  const ended = 2 ** 22 + 1;
  await writeWranglerDev(file, ended);
  await writeWranglerDev(file, process.pid);
  expect(read()).toBe(`ENCRYPTION_KEYS="k1:x"\nWRANGLER_DEV="on, network" # ${process.pid}\n`);
  // Another server of the same folder, which listens on this machine only.
  await writeWranglerDev(file, null);
  expect(read()).toContain(`WRANGLER_DEV="on, network" # ${process.pid}\n`);

  writeFileSync(file, read().replace(String(process.pid), String(ended)));
  await writeWranglerDev(file, null);
  expect(read()).toBe('ENCRYPTION_KEYS="k1:x"\nWRANGLER_DEV="on"\n');
});

test("the routes are off if nobody knows where the server listens", async () => {
  const file = join(folder, "unknown.vars");
  writeFileSync(file, 'ENCRYPTION_KEYS="k1:x"\n');
  await writeWranglerDev(file, null, true);
  expect(readFileSync(file, "utf8")).toBe('ENCRYPTION_KEYS="k1:x"\nWRANGLER_DEV="on, network"\n');
});
