import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { choosePort } from "../../scripts/port.ts";

test("a port in use is named, with advice", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
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
