import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import type { Links } from "../links/list-contract.ts";
import { ApiFailure, type Api } from "./api.ts";
import { foreignText } from "../platform/lib/foreign-text.ts";
import { toWholeLink } from "./link.ts";
import { MAX_TOOL_ITEMS } from "./limits.ts";
import { withoutNulls } from "./tool.ts";
import { findLink } from "./tools/read-links.ts";

const JSON_TYPE = "application/json";

/** Links as resources, `tern://links/{id}`. The list has the newest ones; each link can be read by its id. */
export function registerLinks(server: McpServer, api: Api): void {
  const list = async () => {
    const { links } = await api.json<Links>("GET", "/api/links", { query: { limit: MAX_TOOL_ITEMS } });
    return {
      resources: links.map(({ id, shortUrl, title }) => ({
        uri: `tern://links/${id}`,
        name: shortUrl,
        // Clients show it in place of the name. Without it, each link would have the title of the template.
        title: title === null ? shortUrl : foreignText(title),
        mimeType: JSON_TYPE,
      })),
    };
  };
  server.registerResource(
    "link",
    new ResourceTemplate("tern://links/{id}", { list }),
    { title: "Link", description: "A short link with its settings and its number of clicks.", mimeType: JSON_TYPE },
    async (uri, { id }) => {
      const link = await findLink(api, { id: String(id) }).catch(refuseUnknown);
      return {
        contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(withoutNulls(toWholeLink(link))) }],
      };
    },
  );
}

/** An unknown resource is an error of the parameters (protocol 2026-07-28). */
function refuseUnknown(error: unknown): never {
  if (error instanceof ApiFailure) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  throw error;
}
