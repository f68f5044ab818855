import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Notice } from "#dashboard/ui/notice.tsx";

/** The state of the certificate, where Cloudflare makes one for the domain. */
export function CertificateState({ domain }: { domain: Domain }) {
  const { title, good, waiting, bad } = texts.domains.certificate;
  const certificate = domain.records.find((record) => record.type === "certificate");
  if (certificate?.type !== "certificate") return null;
  const { found, status, error } = certificate;
  const kind = found === true ? "good" : error === null ? "warn" : "bad";
  return (
    <Notice kind={kind} className="mt-4" title={title}>
      <p>{found === true ? good : error === null ? waiting(status) : bad(error)}</p>
    </Notice>
  );
}
