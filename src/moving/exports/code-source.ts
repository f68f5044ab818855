import { QR_PARAMETER } from "../../platform/lib/qr-parameter.ts";
import { faultOfInvalid } from "../../platform/http/errors.ts";
import { fault, type Fault } from "../../platform/http/faults.ts";
import { makeCode } from "../../qr/code.ts";
import type { QrOptions } from "../../qr/contract.ts";
import { drawImage } from "../../qr/image.ts";
import { toFileName } from "../../platform/lib/slug.ts";
import { DomainStyles } from "./domain-styles.ts";
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

interface Drawing {
  format: "svg" | "png";
  style: QrOptions;
  /** Whether the styles of the links' domains have what `style` does not say. */
  domainStyle: boolean;
}

/** The QR codes of the links. The export ends with an error if one of them cannot be drawn. */
export function codeSource(links: ExportedLinks, { format, style, domainStyle }: Drawing): Source<NamedImage> {
  const source = linkSource(links, EXPORT_PAGE_CODES);
  return {
    name: "codes",
    async read(context, after) {
      const page = await source.read(context, after);
      const records: NamedImage[] = [];
      const styles = new DomainStyles(context);
      for (const { shortUrl, domain, slug } of page.records) {
        const options = domainStyle ? { ...(await styles.of(domain)), ...style } : style;
        const bytes = await draw(shortUrl, options, format);
        if ("code" in bytes) return { ...page, records: [], error: bytes };
        records.push({ name: fileNameOf(domain, slug), extension: format, bytes });
        // Lets redirects of the isolate run in between.
        await scheduler.wait(0);
      }
      return { ...page, records };
    },
  };
}

/** Returns why, if the link's code cannot be drawn so. */
async function draw(shortUrl: string, options: QrOptions, format: Drawing["format"]): Promise<Uint8Array | Fault> {
  try {
    return await drawImage(makeCode(`${shortUrl}?${QR_PARAMETER}`, options, format), format);
  } catch (error) {
    const reason = faultOfInvalid(error)?.code;
    if (reason === undefined) throw error;
    return fault("", "code_not_drawn", { value: shortUrl, reason });
  }
}

/** Names that Windows keeps for devices, with and without an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name of letters, digits, `.`, `-` and `_`. The service's own domain may have a port. */
function fileNameOf(domain: string, slug: string): string {
  const host = domain.replaceAll(/[^\w.-]/g, "_").slice(0, MAX_FILE_NAME_DOMAIN_CHARS);
  return `${host.replace(DEVICE, "$1_")}-${toFileName(slug)}`;
}
