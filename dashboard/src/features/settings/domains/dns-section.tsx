import { Mail } from "lucide-react";
import type { Domain } from "#src/domains/contract.ts";
import { copyText } from "#dashboard/lib/clipboard.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyText } from "#dashboard/ui/copy.tsx";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice, Notice } from "#dashboard/ui/notice.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { useDomainCheck, type DomainCheck, CHECK_INTERVAL_SECONDS } from "./use-domain-check.ts";
import { LOCALE } from "#dashboard/lib/format.ts";
import { ColumnHead } from "#dashboard/ui/column-head.tsx";

/** The DNS records that a domain needs, with the last check. */
export function DnsSection({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const { title, lead, apex, type, name, value, state } = texts.domains.dns;
  const check = useDomainCheck(domain);
  const records = domain.records.filter((record) => record.type !== "certificate");
  return (
    <Section title={title} lead={lead} actions={<SendOn domain={domain} records={records} />}>
      <table className="w-full text-start max-md:block">
        <thead className="text-sm text-soft max-md:sr-only">
          <tr>
            <ColumnHead className="pe-4 pb-2">{type}</ColumnHead>
            <ColumnHead className="pe-4 pb-2">{name}</ColumnHead>
            <ColumnHead className="pe-4 pb-2">{value}</ColumnHead>
            <ColumnHead className="pb-2">{state}</ColumnHead>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line max-md:block">
          {records.map((record) => (
            <RecordRow key={record.type} record={record} check={check} />
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-sm text-soft">{apex}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          kind={domain.status === "pending" ? "primary" : "secondary"}
          disabled={!mayChange}
          busy={check.isChecking}
          onClick={check.start}
        >
          {texts.domains.check.action}
        </Button>
        <CheckStatus check={check} />
      </div>
      {check.error !== null && <ErrorNotice className="mt-4" error={check.error} />}
      <CertificateState domain={domain} />
    </Section>
  );
}

function RecordRow({ record, check }: { record: DnsRecord; check: DomainCheck }) {
  const { copyName, copyValue, purpose, name: nameLabel, value: valueLabel } = texts.domains.dns;
  const { type, name, value } = record;
  return (
    <tr className="max-md:grid max-md:gap-2 max-md:py-3">
      <td className="py-3 pe-4 align-top max-md:p-0">
        <span className="font-semibold">{type}</span>
        <span className="block text-sm md:max-w-36 text-soft">{purpose[type]}</span>
      </td>
      <td className="py-3 pe-4 align-top max-md:p-0">
        <span className="block text-sm text-soft md:hidden">{nameLabel}</span>
        <CopyText text={name} label={copyName(type)} />
      </td>
      <td className="py-3 pe-4 align-top max-md:p-0">
        <span className="block text-sm text-soft md:hidden">{valueLabel}</span>
        <CopyText text={value} label={copyValue(type)} />
      </td>
      <td className="py-3 align-top max-md:p-0">
        <Found record={record} seen={check.seen?.[type]} />
      </td>
    </tr>
  );
}

function Found({ record: { found }, seen }: { record: DnsRecord; seen: readonly string[] | undefined }) {
  const { found: yes, missing, unchecked, seen: seenText, seenNothing } = texts.domains.dns;
  if (found === null) return <Badge>{unchecked}</Badge>;
  if (found) return <Badge kind="good">{yes}</Badge>;
  return (
    <>
      <Badge kind="bad">{missing}</Badge>
      {seen !== undefined && (
        <span className="mt-1 block max-w-60 text-sm text-soft [overflow-wrap:anywhere]">
          {seen.length === 0 ? seenNothing : seenText(seen.join(", "))}
        </span>
      )}
    </>
  );
}

/** Gives the records to the person who manages the domain. */
function SendOn({ domain, records }: { domain: Domain; records: readonly DnsRecord[] }) {
  const { copy, copied, mail, subject } = texts.domains.send;
  const text = instructionsFor(domain, records);
  const query = `subject=${encodeURIComponent(subject(domain.unicodeDomain))}&body=${encodeURIComponent(text)}`;
  const copyInstructions = async () => {
    const isCopied = await copyText(text);
    showToast(isCopied ? { title: copied } : { kind: "problem", title: texts.ui.copyRefused });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => void copyInstructions()}>
        {copy}
      </Button>
      <Button size="small" asChild>
        <a href={`mailto:?${query}`}>
          <Mail size={16} aria-hidden />
          {mail}
        </a>
      </Button>
    </div>
  );
}

/** The state of the certificate, where Cloudflare makes one for the domain. */
function CertificateState({ domain }: { domain: Domain }) {
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

const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" });

/** Says when the records were checked last, and when they will be again. */
function CheckStatus({ check }: { check: DomainCheck }) {
  const { waiting, last, next } = texts.domains.check;
  return (
    <p role="status" className="min-w-0 flex-1 basis-60 text-sm text-soft">
      {check.checkedAt !== null && `${last(clock.format(check.checkedAt))} `}
      {check.isWatching && `${next(CHECK_INTERVAL_SECONDS)} ${waiting}`}
    </p>
  );
}

type DnsRecord = Exclude<Domain["records"][number], { type: "certificate" }>;

/** A text for the person who manages the DNS records of the domain. */
function instructionsFor({ unicodeDomain }: Domain, records: readonly DnsRecord[]): string {
  const { intro, record, outro } = texts.domains.send;
  return [
    intro(unicodeDomain),
    ...records.map(({ type, name, value }) => record(type, name, value)),
    texts.domains.dns.apex,
    outro,
  ].join("\n\n");
}
