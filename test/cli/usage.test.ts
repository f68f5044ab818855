import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProgram } from "../../cli/src/program.ts";
import { startInstallation, type Installation } from "./support/installation.ts";
import { Tern } from "./support/tern.ts";

let installation: Installation;
let tern: Tern;

beforeAll(async () => {
  installation = await startInstallation();
  tern = await installation.newTern();
});
afterAll(() => installation.stop());

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
    [["links", "list", "--status", "gone"], "active, expired, disabled"],
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
    expect(await complete("links", "list", "--status", "")).toEqual(["active", "expired", "disabled"]);
    expect(await complete("links", "list", "--js")).toEqual(["--json"]);
    expect(await complete("trigger", "link.c")).toEqual(["link.create", "link.click"]);
    expect(await complete("--profile", "work", "completion", "z")).toEqual(["zsh"]);
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
