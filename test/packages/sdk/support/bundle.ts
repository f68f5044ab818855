import { build, type Rolldown } from "vite";

/** Bundles a module with all that it imports into one, as a program for Workers would be. */
export async function bundle(input: string, { minify = false } = {}): Promise<Rolldown.OutputChunk> {
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: "strict" },
    },
  })) as Rolldown.RolldownOutput;
  if (output.length !== 1) throw new Error(`${output.length} files`);
  return output[0];
}
