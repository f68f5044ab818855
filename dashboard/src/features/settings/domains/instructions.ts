import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";

export type DnsRecord = Exclude<Domain["records"][number], { type: "certificate" }>;

/** A text for the person who manages the DNS records of the domain. */
export function instructionsFor({ unicodeDomain }: Domain, records: readonly DnsRecord[]): string {
  const { intro, record, outro } = texts.domains.send;
  return [
    intro(unicodeDomain),
    ...records.map(({ type, name, value }) => record(type, name, value)),
    texts.domains.dns.apex,
    outro,
  ].join("\n\n");
}
