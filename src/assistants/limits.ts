/** Messages a minute to `/mcp`. The calls of the API that a tool makes count as such, too. */
export const MCP_LIMIT = { operation: "POST /mcp", perMinute: 120, failsClosed: false } as const;

/** Maximum size of the body of a message to `/mcp`, in bytes. */
export const MAX_MCP_BODY_BYTES = 262_144;

/** Maximum size of the response to `tools/list`, which takes room in the context of each conversation. */
export const MAX_TOOL_LIST_BYTES = 16_384;

/** Maximum number of arrays' elements and objects' members in the arguments of a tool. */
export const MAX_TOOL_INPUT_ELEMENTS = 5_000;

/** Maximum number of items in a result of a tool, and of links that one call creates or deletes. */
export const MAX_TOOL_ITEMS = 25;

/** Maximum number of links that one call of `bulk_update_links` changes. One request of the API changes as many. */
export const MAX_BULK_TOOL_LINKS = 100;

/** Maximum length of the structured content of a result, in characters of JSON: about 6,000 tokens. */
export const MAX_RESULT_CHARS = 24_000;

/** Maximum length of the sent body of a delivery in a result. */
export const MAX_SHOWN_BODY_CHARS = 2_000;

/** Maximum length of a destination in a list. A single link has its whole destination. */
export const MAX_LISTED_URL_CHARS = 300;

/** Values of each dimension in the result of `get_analytics`. */
export const MAX_ANALYTICS_VALUES = 10;

/** Buckets of the time series in the result of `get_analytics`, the newest ones. */
export const MAX_ANALYTICS_BUCKETS = 31;

/** Width and height of a QR code for an assistant, in pixels, unless it asks for another size. */
export const DEFAULT_TOOL_QR_SIZE_PX = 512;

/** Deletions of more links than this are confirmed by the person, where the client can ask. */
export const MAX_UNCONFIRMED_DELETIONS = 5;

/** How long a client may keep the lists of tools and prompts, in milliseconds. They change with a deployment. */
export const MCP_LIST_TTL_MS = 300_000;
