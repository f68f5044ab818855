import { spawnSync } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createProgram } from "../../../packages/cli/src/program.ts";
import { reportError } from "../../../packages/cli/src/report-error.ts";
import { installation, prepareInstallation, tern } from "./support/installation.ts";
import { Tern } from "./support/tern.ts";

prepareInstallation();

type Command = ReturnType<typeof createProgram>;

interface Documented {
  path: string;
  help: string;
}

/** Returns the help of each command, as it is printed. */
function commandsOf(command: Command, parents: string[] = []): Documented[] {
  const path = [...parents, command.name()];
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [{ path: path.join(" "), help }, ...command.commands.flatMap((each) => commandsOf(each, path))];
}

const COMMANDS = commandsOf(createProgram());
const GROUPS = new Set(["tern links", "tern keys", "tern domains", "tern webhooks"]);

describe("the help", () => {
  test.each(COMMANDS.filter(({ path }) => !GROUPS.has(path)))("of $path has examples of it", ({ path, help }) => {
    const examples = /^Examples:\n((?: {2}\$ .*\n?)+)/m.exec(help)?.[1]?.trim().split("\n") ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(path);
  });

  test("has examples whose options exist", () => {
    for (const { path, help } of COMMANDS) {
      for (const [, example = ""] of help.matchAll(/^ {2}\$ (.*)$/gm)) {
        const [, command = ""] = /\btern ([^|>)]*)/.exec(example) ?? [];
        const named = COMMANDS.findLast(({ path: each }) => `tern ${command} `.startsWith(`${each} `));
        for (const [option] of command.matchAll(/(?<=\s)--[a-z][a-z-]*/g)) {
          expect(named?.help, `${path}: ${example}`).toContain(option);
        }
      }
    }
  });

  test("is printed to stdout where it was asked for, and to stderr where a command is missing", async () => {
    const asked = await Promise.all([tern.run([]), tern.run(["--help"]), tern.run(["help", "links"])]);
    for (const { exitCode, output, errors } of asked) {
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
      expect(output).toContain("Usage: tern");
    }
    expect(await tern.run(["links"])).toMatchObject({
      exitCode: 2,
      output: "",
      errors: expect.stringContaining("Usage"),
    });
    expect((await tern.run(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test("wrong use ends with 2, and says what is wrong", async () => {
  const cases: [args: string[], message: string][] = [
    [["no-such-command"], "unknown command"],
    [["links", "list", "--limt", "3"], "Did you mean --limit?"],
    [["links", "list", "--limit", "many"], "whole number"],
    [["links", "list", "--limit", "0"], "at least 1"],
    [["links", "list", "--status", "gone"], "active, scheduled, expired, disabled"],
    [["shorten"], "missing required argument"],
    [["trigger", "link.create"], "--forward-to"],
    [["listen", "--events", "link.creat"], "link.create"],
  ];
  for (const [args, message] of cases) {
    expect(await tern.run(args), args.join(" ")).toMatchObject({
      exitCode: 2,
      output: "",
      errors: expect.stringContaining(message),
    });
  }
  // Its process ends with the same code.
  expect(await tern.run(["no-such-command"], { input: "" })).toMatchObject({ exitCode: 2, output: "" });
  const wrongSecret = { TERN_WEBHOOK_SECRET: "whsec" };
  expect(await tern.run(["trigger", "link.create", "--forward-to", "127.0.0.1:9"], wrongSecret)).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining("whsec_ and base64"),
  });
  for (const args of [["links"], ["shorten"]]) {
    const asJson = await tern.run([...args, "--json"]);
    expect(asJson).toMatchObject({ exitCode: 2, output: "" });
    expect(JSON.parse(asJson.errors)).toEqual({ error: expect.stringContaining("missing"), code: "wrong_use" });
  }
});

test("what the service refuses ends with 1, names the fields and the request", async () => {
  const args = ["links", "create", "ftp://example.com/", "--max-clicks", "0"];
  const refused = await tern.run(args);
  expect(refused).toMatchObject({ exitCode: 1, output: "" });
  expect(refused.errors).toMatch(
    /^Error: url: must begin with http.*\n {2}maxClicks: .*\n\(status 400, invalid_request, request /,
  );
  expect(refused.errors).not.toContain("\u001B[");
  const asJson = await tern.run([...args, "--json"]);
  expect(JSON.parse(asJson.errors)).toMatchObject({
    status: 400,
    code: "invalid_request",
    requestId: expect.any(String),
    details: [{ path: "url" }, { path: "maxClicks" }],
  });
  const inTerminal = await tern.runInTerminal(args);
  expect(inTerminal.output).toContain("\u001B[31mError:");
});

test("a service that cannot be reached ends with 1", async () => {
  const lost = new Tern({ TERN_BASE_URL: "http://127.0.0.1:9", TERN_API_KEY: await installation.newKey() });
  expect(await lost.run(["whoami"])).toMatchObject({
    exitCode: 1,
    output: "",
    errors: expect.stringContaining("connection to 127.0.0.1:9 failed"),
  });
});

describe("a service that does not do as the API says", () => {
  const HOSTILE = "\u001B]0;title\u0007\u009B2J\u202E\u2028end";
  const answers: Record<string, (response: ServerResponse) => void> = {
    "/api/cut": (response) => {
      response.writeHead(200, { "Content-Type": "text/csv", "Content-Length": 100 });
      response.write("half", () => response.destroy());
    },
    "/api/page": (response) => response.writeHead(200, { "Content-Type": "application/json" }).end("<html>"),
    "/api/busy": (response) => response.writeHead(429, { "Retry-After": "0" }).end(),
    "/api/hostile": (response) => response.writeHead(200, { "Content-Type": "text/plain" }).end(HOSTILE),
    "/api/keys/current": (response) => {
      response.writeHead(400).end(JSON.stringify({ error: HOSTILE, code: "hostile" }));
    },
  };
  const server = createServer((request, response) => answers[request.url ?? ""]?.(response));
  let user: Tern;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const key = `svc_sk_live_${"0".repeat(64)}`;
    user = new Tern({ TERN_BASE_URL: `http://127.0.0.1:${port}`, TERN_API_KEY: key });
  });
  afterAll(() => server.close());

  const failures: [path: string, message: RegExp][] = [
    ["cut", /^Error: The connection to 127\.0\.0\.1:\d+ broke during the download\.\nReason: other side closed\n/],
    ["page", /^Error: The answer is not the JSON that its Content-Type says\.\n$/],
    ["busy", /^(The rate limit is reached\. Waiting 0 seconds\.\n){3}Error: .*429/],
  ];
  test.each(failures)("(%s) is no wrong use", async (path, message) => {
    expect(await user.run(["api", "GET", `/api/${path}`])).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(message),
    });
  });

  test("cannot change the terminal", async () => {
    const [text, asJson, shown] = await Promise.all([
      user.run(["whoami"]),
      user.run(["whoami", "--json"]),
      user.runInTerminal(["api", "GET", "/api/hostile"], { NO_COLOR: "1" }),
    ]);
    expect(text).toMatchObject({ exitCode: 1, errors: expect.stringContaining("end") });
    for (const output of [text.errors, asJson.errors, shown.output]) {
      // oxlint-disable-next-line no-control-regex
      expect(output).not.toMatch(/[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u2028\u202E]/);
    }
    expect(JSON.parse(asJson.errors)).toMatchObject({ error: HOSTILE, code: "hostile" });
    expect(shown.output).toContain("end");
  });

  test("is told from a fault of the command", () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(reportError(new TypeError("x is undefined"), true)).toBe(1);
    expect(JSON.parse(String(written.mock.lastCall?.[0]))).toMatchObject({ code: "internal_fault" });
    written.mockRestore();
  });
});

test("a reader that closes the pipe early is no error", async () => {
  // The document is larger than a pipe, so the command still writes when `head` has ended.
  const early = await tern.runShell("tern api GET /api/openapi.json | head -n 1");
  expect(early).toEqual({ exitCode: 0, output: "{\n", errors: "" });
  expect(await tern.runShell("tern links --help | true")).toMatchObject({ exitCode: 0, errors: "" });
});

describe("the completion", () => {
  const complete = async (...words: string[]) =>
    (await tern.run(["__complete", ...words])).output
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0]);

  test("knows commands, options and their values", async () => {
    expect(await complete("li")).toEqual(["links", "listen"]);
    expect(await complete("links", "")).toEqual(["list", "get", "create", "update", "delete", "restore"]);
    expect(await complete("links", "list", "--tag")).toEqual(["--tag", "--tag-mode"]);
    expect(await complete("links", "list", "--status", "")).toEqual(["active", "scheduled", "expired", "disabled"]);
    expect(await complete("links", "list", "--js")).toEqual(["--json"]);
    expect(await complete("trigger", "link.c")).toEqual(["link.create", "link.click"]);
    expect(await complete("--as", "work", "completion", "z")).toEqual(["zsh"]);
  });

  test("works in bash", async () => {
    const line = `eval "$(tern completion bash)"; COMP_WORDS=(tern links li); COMP_CWORD=2; _tern; echo "\${COMPREPLY[*]}"`;
    expect(await tern.runShell(line)).toEqual({ exitCode: 0, output: "list\n", errors: "" });
  });

  test.each(["zsh", "fish"])("is a script that %s can read, if it is installed", async (shell) => {
    const { output } = await tern.run(["completion", shell]);
    expect(output).toContain("tern __complete");
    const checked = spawnSync(shell, ["-n"], { input: output, encoding: "utf8" });
    if (checked.error === undefined) expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });
});
