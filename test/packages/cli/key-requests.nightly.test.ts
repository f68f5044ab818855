import { expect, test } from "vitest";
import type { Link, LoggedRequest } from "@tern/sdk";
import { until } from "../../support/until.ts";
import { installation, prepareInstallation } from "./support/installation.ts";

// With the log of requests, as installed.
prepareInstallation({ NOT_RECORDED: "" });

test("the requests of keys are listed, also those of a revoked key, and by their status and method", async () => {
  const tern = await installation.newTern();
  const { output: value } = await tern.run(["keys", "create", "CI", "--permission", "links:read"]);
  const limited = { TERN_API_KEY: value.trim() };
  const { id } = await tern.json<Link>("links", "create", "https://example.com/", "--slug", "logged");
  expect((await tern.run(["links", "get", id], limited)).exitCode).toBe(0);
  expect((await tern.run(["links", "create", "https://example.com/"], limited)).exitCode).toBe(1);
  expect((await tern.run(["keys", "revoke", "CI", "--yes"])).exitCode).toBe(0);

  const listed = (...options: string[]) => tern.json<LoggedRequest[]>("keys", "requests", ...options);
  // The service stores requests some seconds later.
  await until(async () => (await listed("CI")).length === 2);
  const [refused, read] = await listed("CI");
  expect(refused).toMatchObject({ method: "POST", path: "/api/links", status: 403 });
  expect(read).toMatchObject({ method: "GET", path: `/api/links/${id}`, status: 200 });
  expect(await listed(value.trim().slice(-4), "--status", "4xx")).toEqual([refused]);
  expect(await listed("CI", "--method", "GET")).toEqual([read]);
  expect(await listed("CI", "--status", "5xx")).toEqual([]);
  expect(await listed("CI", "--limit", "1")).toEqual([refused]);
  await until(async () => (await listed("--all", "--method", "DELETE")).some(({ status }) => status === 200));
  expect(await listed("--all", "--status", "4xx")).toContainEqual(refused);

  const lines = (await tern.run(["keys", "requests", "CI"])).output.trim().split("\n");
  expect(lines.map((line) => line.split("\t").slice(1, 4))).toEqual([
    ["POST", "/api/links", "403"],
    ["GET", `/api/links/${id}`, "200"],
  ]);
  expect((await tern.runInTerminal(["keys", "requests", "CI"])).output).toContain("REQUEST ID");
  expect(await tern.run(["keys", "requests", "CI", "--status", "9xx"])).toMatchObject({ exitCode: 2 });
  expect(await tern.run(["keys", "requests", "none"])).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("There is no key none in this account."),
  });
});
