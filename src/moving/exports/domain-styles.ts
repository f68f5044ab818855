import { crc32 } from "node:zlib";
import { toRecords } from "../../jobs/kind.ts";
import { readDomainStyle } from "../../qr/domain-style.ts";
import type { QrStyle } from "../../qr/domain-style-contract.ts";
import type { SourceContext } from "./source.ts";

/** The list with the styles that the domains had when the export met them first. A record has those whose names have a checksum. */
const STYLES = "styles";

type Entry = [domain: string, style: QrStyle | null];

/** The styles that the account's domains keep for QR codes. Each is read once in an export, so that its codes of a domain look alike. */
export class DomainStyles {
  readonly #context: SourceContext;
  /** Those that this page has read. */
  readonly #read = new Map<string, QrStyle | null>();

  constructor(context: SourceContext) {
    this.#context = context;
  }

  /** The style of the domain with this name; null: none. */
  async of(domain: string): Promise<QrStyle | null> {
    const read = this.#read.get(domain);
    if (read !== undefined) return read;
    const style = await this.#find(domain);
    this.#read.set(domain, style);
    return style;
  }

  async #find(domain: string): Promise<QrStyle | null> {
    const { db, principal, records } = this.#context;
    const number = crc32(new TextEncoder().encode(domain), 0);
    const stored = (records.readItems(STYLES, number) ?? []) as Entry[];
    const entry = stored.find(([name]) => name === domain);
    if (entry !== undefined) return entry[1];
    const style = await readDomainStyle(db, principal.accountId, domain);
    records.save(toRecords(STYLES, number, [...stored, [domain, style]]));
    return style;
  }
}
