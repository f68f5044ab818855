// The build command in wrangler.toml. wrangler runs it before it reads `.dev.vars` and bundles the Worker: for `dev`,
// `deploy`, `versions upload` and `types`. It acts for `dev` only. `npm start` has prepared everything itself.
if (process.env["WRANGLER_COMMAND"] === "dev" && process.env["TERN_IS_PREPARED"] === undefined) {
  await import("./require-node.js");
  const { prepareForWrangler } = await import("./dev-preparation.ts");
  await prepareForWrangler();
}
