import { useQuery } from "@tanstack/react-query";
import { rolesWith } from "#src/platform/auth/roles.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "#src/limits.ts";
import { accountQuery } from "#dashboard/api/resources.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { OnlyRoles, SettingsHeader } from "../frame.tsx";
import { NameForm } from "../name-form.tsx";
import { SwitchSetting } from "../switch-setting.tsx";
import { DefaultsForm } from "./defaults-form.tsx";
import { OwnVisitsSection } from "./own-visits-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { updateAccount } from "./update-account.ts";
import { UsageSection } from "./usage-section.tsx";

export function GeneralSettings() {
  const { can } = useSession();
  const { data: account, error, refetch } = useQuery(accountQuery);
  const mayChange = can("account:write");
  return (
    <>
      <SettingsHeader title={texts.settings.sections.general} lead={texts.settings.general.lead} />
      {!mayChange && <OnlyRoles roles={rolesWith("account:write")} />}
      {error !== null && account === undefined && (
        <ErrorNotice className="mb-6" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && account === undefined && <Skeleton className="mb-6 h-96" />}
      {account !== undefined && (
        <>
          <NameForm
            words={texts.settings.general.name}
            current={account.name}
            maxLength={MAX_ACCOUNT_NAME_CHARS}
            mayChange={mayChange}
            onSave={(name) => updateAccount({ name })}
          />
          <DefaultsForm account={account} mayChange={mayChange} />
          <SwitchSetting
            words={texts.settings.general.mails}
            isOn={account.brokenDestinationMails}
            mayChange={mayChange}
            onSave={(brokenDestinationMails) => updateAccount({ brokenDestinationMails })}
          />
          <RetentionSection key={account.id} account={account} mayChange={mayChange} />
        </>
      )}
      <OwnVisitsSection />
      <UsageSection />
    </>
  );
}
