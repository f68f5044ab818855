import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { hashOfSources, STAMP as DASHBOARD_STAMP } from "./build-dashboard.ts";
import { makePages, OUTSIDE } from "./document-pages.ts";
import { ROOT } from "./wrangler.ts";

/** The folder of the Worker's binding ASSETS that has the documents (src/redirect/pages/document.ts). */
const FOLDER = join(ROOT, "dist/documents");

/** The pictures of the documents, and where browsers get them from, beside the files of the dashboard. */
const IMAGES = "docs/images";
const SERVED_IMAGES = join(ROOT, "dist/_app/images");

/** Everything that the documents depend on, except the sources of the dashboard. */
const SOURCES = [
  "docs/**/*.{md,txt,png}",
  ...OUTSIDE.keys(),
  "tools/scripts/{build-documents,document-pages,curl-variants}.ts",
];
const STAMP = join(ROOT, "dist/.documents");

/** What stands in the built documents for the origin of the installation. */
const ORIGIN = "__ORIGIN__";

/** The documents that each installation has, by their paths there: their files, by paths from the root. */
export function findDocuments(): Map<string, string> {
  const pages = globSync(["docs/*.md", "docs/{api,guides,security}/*.md"], { cwd: ROOT }).sort();
  return new Map([
    ...pages.map((page) => [page, page] as const),
    ...[...OUTSIDE].map(([file, path]) => [path, file] as const),
    ["llms.txt", "docs/llms.txt"],
  ]);
}

/** The frame of the documents' pages, which tools/scripts/build-dashboard.ts makes. */
const FRAME = join(ROOT, "dist/pages/guide.html");

/**
 * Writes the documents and their pages into dist/, unless they were made there from the same sources last. A file that is there already stays as it is. Call it after the dashboard is built.
 */
export function buildDocuments(): void {
  const newest = `${hashOfSources(SOURCES)} ${readFileSync(DASHBOARD_STAMP, "utf8")}`;
  const isBuilt = [FOLDER, SERVED_IMAGES, STAMP].every((path) => existsSync(path));
  if (isBuilt && readFileSync(STAMP, "utf8") === newest) return;
  const paths = new Map([...findDocuments()].map(([path, file]) => [file, path]));
  const documents = new Map(
    [...findDocuments()].map(([path, file]) => [
      path,
      toInstalled(readFileSync(join(ROOT, file), "utf8"), file, paths),
    ]),
  );
  const files = new Map([...documents, ...makePages(documents, readFileSync(FRAME, "utf8"))]);
  for (const [path, text] of files) write(join(FOLDER, path), text);
  for (const path of globSync("**/*.{md,txt,html,json}", { cwd: FOLDER }))
    if (!files.has(path)) rmSync(join(FOLDER, path));
  cpSync(join(ROOT, IMAGES), SERVED_IMAGES, { recursive: true });
  writeFileSync(STAMP, newest);
}

/**
 * A document as an installation has it: links lead to the installation's own documents, and its URL stands in the examples.
 * `paths` are those of all documents, by file.
 */
export function toInstalled(text: string, file: string, paths: ReadonlyMap<string, string>): string {
  const parts = text.replaceAll(/https:\/\/go\.example(?![\w.-])/g, ORIGIN).split(/(^ *```[^]*?^ *```$)/m);
  // Every second part is a block of code.
  return parts.map((part, index) => (index % 2 === 1 ? part : withAbsoluteLinks(part, file, paths))).join("");
}

function withAbsoluteLinks(text: string, file: string, paths: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (link, image: string, label: string, target: string) => {
      if (/^(https?:|__ORIGIN__|#)/.test(target)) return link;
      const [path = "", anchor] = target.split("#");
      const linked = posix.normalize(posix.join(posix.dirname(file), path));
      if (image !== "") return `![${label}](${ORIGIN}/_app/images/${imageName(linked)})`;
      const installed = paths.get(linked);
      if (installed !== undefined)
        return `[${label}](${ORIGIN}/${installed}${anchor === undefined ? "" : `#${anchor}`})`;
      // Such as the source code, which an installation does not have.
      return label.replaceAll("`", "") === linked ? `\`${linked}\`` : `${label} (\`${linked}\` in the repository)`;
    },
  );
}

/** The name of a picture of {@link IMAGES}, as an installation has it. */
function imageName(file: string): string {
  const { dir, base } = posix.parse(file);
  if (dir !== IMAGES) throw new Error(`${file} is not in ${IMAGES}.`);
  return base;
}

/** Replaces a changed file in one step: a running server reads from the folder. */
function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const made = `${path}.${process.pid}`;
  writeFileSync(made, text);
  renameSync(made, path);
}

if (import.meta.main) buildDocuments();
