import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { CONFIG_FILE, readWrangler, wrangler } from "../../tools/scripts/wrangler.ts";
import { readPage } from "./support/pages.ts";
import { copyProject } from "../tools/scripts/support/command.ts";

interface Configuration {
  name: string;
  vars: Record<string, string>;
  durable_objects: { bindings: object[] };
  queues: { producers: object[] };
}

const [, recipe = ""] = /^## Two scripts by routes$[^]*?^```toml\n([^]*?)^```/m.exec(readPage("docs/scale.md")) ?? [];

test("the second script has the code, settings, database and queues of the first one, its objects, and nothing that runs twice", () => {
  const first = parse(readFileSync(CONFIG_FILE, "utf8")) as unknown as Configuration;
  const { triggers, migrations, assets, build, ...shared } = first as Configuration & Record<string, unknown>;
  expect([triggers, migrations, assets, build]).not.toContain(undefined);
  expect(parse(recipe)).toEqual({
    ...shared,
    name: "tern-api",
    routes: [{ pattern: "go.example/api/*", zone_name: "go.example" }],
    workers_dev: false,
    vars: { ...first.vars, BASE_URL: "https://go.example" },
    durable_objects: {
      bindings: first.durable_objects.bindings.map((binding) => ({ ...binding, script_name: first.name })),
    },
    queues: { producers: first.queues.producers },
  });
});

test("wrangler accepts the second script", async () => {
  const folder = copyProject();
  const config = join(folder, "wrangler.api.toml");
  writeFileSync(config, recipe);
  const output = await readWrangler(wrangler, [
    "deploy",
    "--dry-run",
    "--outdir",
    join(folder, "out"),
    "--config",
    config,
  ]);
  expect(output).toContain("env.CLICK_LOG (ClickLog, defined in tern)");
  expect(output).toContain("--dry-run: exiting now");
});
