import type { McpServer } from "@modelcontextprotocol/server";

/** The extension by which a client shows a page beside the result of a tool (MCP Apps, 2026-01-26). */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui";

/** The chart that clients show for `get_analytics`. */
export const CLICKS_APP = "ui://tern/clicks";

const APP_TYPE = "text/html;profile=mcp-app";

/** Reads a file of the folder `documents` of the binding ASSETS. */
export type ReadAsset = (path: string) => Promise<string>;

/** The pages as resources. The model need not read them: each is the same for all results. */
export function registerApps(server: McpServer, readAsset: ReadAsset): void {
  const config = {
    title: "Chart of clicks",
    description: "Shows a result of get_analytics in clients that can. It is a page without data.",
    mimeType: APP_TYPE,
  };
  server.registerResource("clicks", CLICKS_APP, config, async (uri) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: APP_TYPE,
        text: await readAsset("apps/clicks.html"),
        // It needs no origins and no permissions of the browser.
        _meta: { ui: { prefersBorder: true } },
      },
    ],
  }));
}
