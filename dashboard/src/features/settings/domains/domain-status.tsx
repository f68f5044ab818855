import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge } from "#dashboard/ui/layout.tsx";

/** Says in a word how a domain does. */
export function DomainStatus({ domain: { status, lostAt, records } }: { domain: Domain }) {
  const names = texts.domains.status;
  if (status === "pending") return <Badge kind="warn">{names.pending}</Badge>;
  if (lostAt !== null) return <Badge kind="bad">{names.lost}</Badge>;
  const certificate = records.find((record) => record.type === "certificate");
  if (certificate?.type === "certificate" && certificate.found !== true)
    return (
      <Badge kind={certificate.error === null ? "warn" : "bad"}>
        {certificate.error === null ? names.certificate : names.certificateError}
      </Badge>
    );
  if (records.some(({ type, found }) => type === "CNAME" && found === false))
    return <Badge kind="warn">{names.unrouted}</Badge>;
  return <Badge kind="good">{names.verified}</Badge>;
}
