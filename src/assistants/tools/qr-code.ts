import { z } from "@hono/zod-openapi";
import { IdInput } from "../../platform/http/id.ts";
import { makeQrCode } from "../../qr/contract.ts";
import { DEFAULT_TOOL_QR_SIZE_PX } from "../limits.ts";
import { field } from "../schema.ts";
import { defineTool, READ_HINTS, ToolError } from "../tool.ts";
import { quote } from "../../platform/lib/foreign-text.ts";

const { shape } = makeQrCode.request.body.content["application/json"].schema;

export const getQrCode = defineTool({
  name: "get_qr_code",
  title: "Get QR code",
  description:
    'QR code of a link (by id: its clicks count as scans) or of any text, as PNG. Example: {"id": "…", "size": 1024}',
  permissions: ["links:read"],
  hints: READ_HINTS,
  input: z.strictObject({
    id: field(IdInput.optional(), "Id of the link."),
    content: field(shape.content.optional(), "Text, without an id."),
    size: field(shape.size, `Pixels; default ${DEFAULT_TOOL_QR_SIZE_PX}.`),
    level: field(shape.level, "Error correction; default M."),
    foreground: field(shape.foreground, "Such as #0f5c6b."),
    background: field(shape.background, "Such as #ffffff."),
    dots: field(shape.dots, "Form of the modules."),
    corners: field(shape.corners, "Form of the corner patterns."),
    frameText: field(shape.frameText, "Call to action below, such as Scan me."),
    frameColor: field(shape.frameColor, "Default: foreground."),
  }),
  // An image beside structured content is not shown by some clients.
  output: null,
  async answer({ id, content, size = DEFAULT_TOOL_QR_SIZE_PX, ...style }, { api }) {
    if (id === undefined && content === undefined) throw new ToolError("Give the id of a link, or content.");
    const options = { ...style, size, format: "png" };
    const response =
      id === undefined
        ? await api.send("POST", "/api/qr", { body: { ...options, content }, accept: "image/png" })
        : await api.send("GET", `/api/links/${encodeURIComponent(id)}/qr`, { query: options, accept: "image/png" });
    const what = id === undefined ? `the text ${quote(content ?? "")}` : `the link ${id}`;
    return {
      image: new Uint8Array(await response.arrayBuffer()).toBase64(),
      text: `QR code of ${what}, ${size} pixels wide, as PNG.`,
    };
  },
});
