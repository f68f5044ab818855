import { QR_PARAMETER } from "../clicks/qr-parameter.ts";
import { makeCode } from "../qr/code.ts";
import type { QrOptions } from "../qr/contract.ts";
import { drawImage } from "../qr/image.ts";
import type { ExportedLinks } from "./export.ts";
import { linkSource } from "./link-source.ts";
import type { Source } from "./source.ts";
import { EXPORT_PAGE_CODES, MAX_FILE_NAME_DOMAIN_CHARS } from "./limits.ts";

/** An image of a ZIP file. */
export interface NamedImage {
  /** Without the extension. */
  name: string;
  extension: string;
  bytes: Uint8Array;
}

/** The QR codes of the links. */
export function codeSource(links: ExportedLinks, format: "svg" | "png", style: QrOptions): Source<NamedImage> {
  const source = linkSource(links, EXPORT_PAGE_CODES);
  return {
    name: "codes",
    async read(context, after) {
      const page = await source.read(context, after);
      const records: NamedImage[] = [];
      for (const { shortUrl, domain, slug } of page.records) {
        const bytes = await drawImage(makeCode(`${shortUrl}?${QR_PARAMETER}`, style, format), format);
        records.push({ name: fileNameOf(domain, slug), extension: format, bytes });
        // Lets redirects of the isolate run in between.
        await scheduler.wait(0);
      }
      return { ...page, records };
    },
  };
}

/** Names that Windows keeps for devices, with and without an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name of letters, digits, `.`, `-` and `_`. A slug has nothing else; the service's own domain may have a port. */
function fileNameOf(domain: string, slug: string): string {
  const host = domain.replaceAll(/[^\w.-]/g, "_").slice(0, MAX_FILE_NAME_DOMAIN_CHARS);
  return `${host.replace(DEVICE, "$1_")}-${slug}`;
}
