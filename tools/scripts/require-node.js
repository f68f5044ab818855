// Loaded before the TypeScript of this project's commands (package.json). It is JavaScript, because a Node.js that is too
// old cannot read TypeScript.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const wrangler = fileURLToPath(new URL("../../node_modules/wrangler", import.meta.url));
const advice = !existsSync(wrangler)
  ? "The dependencies are not installed. Run:\n  npm ci"
  : process.features.typescript
    ? null
    : `Node.js ${process.version} cannot run this command. The project brings a newer one, which is not installed, for example\n` +
      "because npm ci ran with --ignore-scripts. Run:\n  npm rebuild node esbuild workerd";
if (advice !== null) {
  console.error(advice);
  process.exit(1);
}
