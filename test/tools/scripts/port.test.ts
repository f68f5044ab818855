import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { choosePort } from "../../../tools/scripts/port.ts";

/** Listens there until the test ends. Returns the port. */
async function listen(port: number, host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("a port in use is named, with advice", async () => {
  const port = await listen(0, "127.0.0.1");
  const failure = await choosePort(String(port), undefined).catch(String);
  expect(failure).toContain(`Port ${port} is in use`);
  expect(failure).toContain("npm start -- --port NUMBER");
});

test.each(["abc", "70000", "-1"])("--port=%s is wrong usage", async (port) => {
  await expect(choosePort(port, undefined)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^--port must be a number from 0 to 65535/),
  });
});

test("any port is one that is free where the server listens, and that no connection gets", async () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
  const port = await choosePort("0", "0.0.0.0");
  expect([port >= 20_000, port < 32_768]).toEqual([true, true]);
  await listen(port, "127.0.0.2");
  expect(await choosePort("0", "127.0.0.3")).toBe(port);
  random.mockReturnValueOnce(0.5).mockReturnValueOnce(0.5).mockReturnValue(0.25);
  expect(await choosePort("0", "0.0.0.0")).toBeLessThan(port);
});
