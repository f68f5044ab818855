import { rolesWith } from "#src/platform/auth/roles.ts";
import type { Domain } from "#src/domains/contract.ts";
import { formatMoment } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge, Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice, Notice } from "#dashboard/ui/notice.tsx";
import { BackLink, OnlyRoles, SettingsHeader } from "../frame.tsx";
import { SwitchSetting } from "../switch-setting.tsx";
import { AppFiles } from "./app-files.tsx";
import { BrandSettings } from "./brand-settings.tsx";
import { DeletionSection } from "./deletion-section.tsx";
import { DnsSection } from "./dns-section.tsx";
import { DomainStatus } from "./domain-status.tsx";
import { updateDomain, useDomain } from "./queries.ts";
import { OrphanVisitsSection } from "./orphan-visits.tsx";
import { UrlSettings } from "./url-settings.tsx";
import { LOST_DOMAIN_GRACE_MS } from "#src/domains/limits.ts";

const SWITCHES = [
  ["pathForwarding", texts.domains.pathSetting],
  ["nestedSlugs", texts.domains.nestedSetting],
  ["caseSensitive", texts.domains.caseSetting],
] as const;

/** One domain with its records and settings. */
export function DomainPage({ id }: { id: string }) {
  const { data, error, refetch } = useDomain(id);
  return (
    <>
      <BackLink section="domains" />
      {data === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-96" />}
      {data !== undefined && <Loaded domain={data.domain} />}
    </>
  );
}

function Loaded({ domain }: { domain: Domain }) {
  const { can } = useSession();
  const mayChange = can("domains:write");
  return (
    <>
      <SettingsHeader
        title={domain.unicodeDomain}
        badge={
          <>
            <DomainStatus domain={domain} />
            {domain.caseSensitive && <Badge>{texts.domains.caseSensitive}</Badge>}
          </>
        }
        lead={domain.unicodeDomain === domain.domain ? undefined : domain.domain}
      />
      {!mayChange && <OnlyRoles roles={rolesWith("domains:write")} />}
      {domain.lostAt !== null && (
        <Notice
          kind="bad"
          className="mb-6"
          title={texts.domains.lost(formatMoment(domain.lostAt + LOST_DOMAIN_GRACE_MS))}
        />
      )}
      <DnsSection domain={domain} mayChange={mayChange} />
      <UrlSettings domain={domain} mayChange={mayChange} />
      {domain.status === "verified" && <OrphanVisitsSection domain={domain} />}
      <BrandSettings domain={domain} mayChange={mayChange} />
      {SWITCHES.map(([field, words]) => (
        <SwitchSetting
          key={field}
          words={words}
          isOn={domain[field]}
          mayChange={mayChange}
          onSave={(isOn) => updateDomain(domain.id, { [field]: isOn })}
        />
      ))}
      <AppFiles domain={domain} mayChange={mayChange} />
      {mayChange && <DeletionSection domain={domain} />}
    </>
  );
}
