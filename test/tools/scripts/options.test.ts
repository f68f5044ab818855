import { expect, test, vi } from "vitest";
import { environmentOf, hasFlag, optionValue, optionValues, withoutOption } from "../../../tools/scripts/options.ts";
import { checkOptions } from "../../../tools/scripts/wrangler-options.ts";

test("an option is found in both forms and under each name; its last value counts", () => {
  expect(optionValue(["--port", "1", "--ip", "x"], "--port")).toBe("1");
  expect(optionValue(["--port=1", "--port=2"], "--port")).toBe("2");
  expect(optionValue(["--portal=1", "port"], "--port")).toBeUndefined();
  expect(optionValue(["--env=a", "-e", "b"], "--env", "-e")).toBe("b");
});

test("an option may have several values after one name", () => {
  const args = ["--var", "A:1", "B:2", "--port", "1", "--var=C:3"];
  expect(optionValues(args, "--var")).toEqual(["A:1", "B:2", "C:3"]);
});

test("an option is removed with its value", () => {
  expect(withoutOption(["--port", "1", "a", "--port=2", "--ip=x"], "--port")).toEqual(["a", "--ip=x"]);
});

test("a flag is set by its name alone or with the value true", () => {
  const isSet = (arg: string) => hasFlag([arg], "--remote", "-r");
  expect(["--remote", "-r", "--remote=true", "--remote=false", "--no-remote", "remote"].map(isSet)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("the environment comes from the arguments, then from CLOUDFLARE_ENV; an empty name is the top level", () => {
  vi.stubEnv("CLOUDFLARE_ENV", "staging");
  expect([[], ["--env", "other"], ["-e=other"], ["--env="]].map(environmentOf)).toEqual([
    "staging",
    "other",
    "other",
    undefined,
  ]);
  vi.unstubAllEnvs();
});

test.each([
  ["dev", ["--port", "1", "--var=A:1", "--persist-to", "x", "-e", "y"]],
  ["dev", ["--persistTo=x", "--no-show-interactive-dev-session", "--log-level=warn", "-r"]],
  ["deploy", ["--dry-run", "--dryRun", "--route", "go.example/*", "--no-bundle", "--define.A=1", "-c", "x"]],
] as const)("wrangler %s knows the options %j", async (command, args) => {
  await checkOptions(command, args);
});

test.each([
  ["dev", ["--prot", "1"], "wrangler dev has no option --prot. To see its options: npx wrangler dev --help"],
  ["dev", ["--port=1", "-x"], "wrangler dev has no option -x. To see its options: npx wrangler dev --help"],
  ["dev", ["--persist-to"], "--persist-to needs a value."],
  ["dev", ["--local-protocol", "htps"], "--local-protocol must be http or https."],
  [
    "deploy",
    ["--dry-rum=true"],
    "wrangler deploy has no option --dry-rum. To see its options: npx wrangler deploy --help",
  ],
  ["deploy", ["--outdir", "--minify"], "--outdir needs a value."],
] as const)("wrangler %s does not take the options %j", async (command, args, message) => {
  await expect(checkOptions(command, args)).rejects.toMatchObject({ exitCode: 2, message });
});
