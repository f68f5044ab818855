// The build command in wrangler.toml. wrangler runs it before it reads `.dev.vars` and bundles the Worker: for `dev`,
// `deploy`, `versions upload` and `types`.
const command = process.env["WRANGLER_COMMAND"];
if (command !== "types") {
  await import("./require-node.js");
  const { buildDashboard } = await import("./build-dashboard.ts");
  buildDashboard();
  const { buildDocuments } = await import("./build-documents.ts");
  buildDocuments();
}
// `npm start` has prepared everything else itself.
if (command === "dev" && process.env["TERN_IS_PREPARED"] === undefined) {
  const { prepareForWrangler } = await import("./dev-preparation.ts");
  await prepareForWrangler();
}
