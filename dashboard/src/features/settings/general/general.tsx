import { useQuery } from "@tanstack/react-query";
import { rolesWith } from "../../../../../src/auth/roles.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../../../src/limits.ts";
import { call } from "../../../api/client.ts";
import type { Account } from "../../../api/types.ts";
import { useSession } from "../../../session.ts";
import { texts } from "../../../texts/index.ts";
import { Skeleton } from "../../../ui/layout.tsx";
import { ErrorNotice } from "../../../ui/notice.tsx";
import { OnlyRoles, SettingsHeader } from "../frame.tsx";
import { NameForm } from "../name-form.tsx";
import { DefaultsForm } from "./defaults-form.tsx";
import { updateAccount } from "./update-account.ts";
import { UsageSection } from "./usage-section.tsx";

export function GeneralSettings() {
  const { can } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => call<{ account: Account }>("GET", "/api/account", { signal }),
  });
  const mayChange = can("account:write");
  return (
    <>
      <SettingsHeader title={texts.settings.sections.general} lead={texts.settings.general.lead} />
      {!mayChange && <OnlyRoles roles={rolesWith("account:write")} />}
      {error !== null && data === undefined && (
        <ErrorNotice className="mb-6" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && data === undefined && <Skeleton className="mb-6 h-96" />}
      {data !== undefined && (
        <>
          <NameForm
            words={texts.settings.general.name}
            current={data.account.name}
            maxLength={MAX_ACCOUNT_NAME_CHARS}
            mayChange={mayChange}
            onSave={(name) => updateAccount({ name })}
          />
          <DefaultsForm account={data.account} mayChange={mayChange} />
        </>
      )}
      <UsageSection />
    </>
  );
}
