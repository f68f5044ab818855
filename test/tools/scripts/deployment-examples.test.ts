import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../tools/scripts/wrangler.ts";

test("the workflow for GitHub runs commands of this project and names every variable that a deployment needs", () => {
  const workflow = readFileSync(join(ROOT, "examples/deploy/github-actions.yml"), "utf8");
  const commands = Array.from(workflow.matchAll(/- run: (.*)/g), ([, command = ""]) => command);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const names = commands.flatMap((command) => command.match(/(?<=^npm run |^npm )(?!ci$|run )\S+/g) ?? []);
  expect(names).toEqual(["check", "test", "deploy"]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
  for (const name of ["TERN_URL", "CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_API_TOKEN"]) {
    expect(workflow).toContain(`${name}: \${{`);
  }
});
