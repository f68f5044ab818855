import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyProject, runScript } from "./support/command.ts";

// The real wrangler, in a copy of the project that has a deploy.toml.

test("a deployment bundles the Worker of the project with the settings of deploy.toml", async () => {
  const clone = copyProject("dist");
  writeFileSync(
    join(clone, "deploy.toml"),
    'name = "links"\n[vars]\nMAIL_FROM = "Tern <tern@go.example>"\n[[send_email]]\nname = "EMAIL"\n',
  );
  const { exitCode, output, errors } = await runScript(
    "deploy.ts",
    ["--url=https://go.example", "--dry-run"],
    {},
    clone,
  );
  expect([exitCode, errors]).toEqual([0, ""]);
  expect(output).toContain("--dry-run: exiting now.");
  expect(output).toMatch(/env\.EMAIL\b.*Send Email/i);
  expect(output).toMatch(/env\.MAIL_FROM \("Tern <tern@go\.example>"\)/);
  expect(output).toMatch(/env\.DB \(tern\)/);
});
