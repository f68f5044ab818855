import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// The address of the repository is in package.json. Everything else agrees with it.

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const readJson = (file: string) => JSON.parse(read(file)) as Record<string, unknown>;
const filesOf = (pattern: string) =>
  execFileSync("git", ["ls-files", pattern], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");

const { url } = readJson("package.json")["repository"] as { url: string };
const ADDRESS = url.replace(/^git\+/, "").replace(/\.git$/, "");
/** The owner and the name. */
const PLACE = new URL(ADDRESS).pathname.slice(1);

describe("the address of the repository", () => {
  it("has an owner and a name", () => {
    expect(url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/[\w.-]+\.git$/);
  });

  it.each(["package.json", "packages/sdk/package.json", "packages/cli/package.json"])("is in %s", (file) => {
    const folder = file.replace(/\/?package\.json$/, "");
    expect(readJson(file)).toMatchObject({ bugs: `${ADDRESS}/issues` });
    expect(readJson(file)["repository"]).toEqual({ type: "git", url, ...(folder !== "" && { directory: folder }) });
  });

  it("is in what registries of MCP servers read", () => {
    expect(readJson("server.json")["repository"]).toEqual({ url: ADDRESS, source: "github" });
  });

  it.each(["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/releasing.md", ".github/ISSUE_TEMPLATE/config.yml"])(
    "is in %s, which names no other place for this project",
    (file) => {
      const addresses = Array.from(
        read(file).matchAll(/https:\/\/github\.com\/([\w-]+\/[\w.-]*\w)/g),
        ([, place]) => place,
      );
      expect(addresses).toContain(PLACE);
      expect(addresses.filter((place) => place !== PLACE)).toEqual([]);
    },
  );

  it("is the placeholder everywhere, or nowhere", () => {
    const placeholder = ["OWNER", "REPOSITORY"].join("/");
    const others = filesOf("*").filter((file) => /\.(md|json|ya?ml|ts|tsx|js|html|toml)$/.test(file));
    const found = others.filter((file) => read(file).replaceAll(PLACE, "").includes(placeholder));
    expect(found).toEqual([]);
  });
});
