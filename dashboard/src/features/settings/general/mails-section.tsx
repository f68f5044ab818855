import { useMutation } from "@tanstack/react-query";
import type { Account } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Checkbox } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { updateAccount } from "./update-account.ts";

/** Which mails the owners of the account get. */
export function MailsSection({ account, mayChange }: { account: Account; mayChange: boolean }) {
  const { title, broken, hint, on, off } = texts.settings.general.mails;
  const change = useMutation({
    mutationFn: (brokenDestinationMails: boolean) => updateAccount({ brokenDestinationMails }),
    onSuccess: (_, isOn) => showChange(isOn ? on : off, () => updateAccount({ brokenDestinationMails: !isOn })),
  });
  return (
    <Section title={title}>
      <Checkbox
        label={broken}
        hint={hint}
        disabled={!mayChange || change.isPending}
        checked={change.isPending ? change.variables : account.brokenDestinationMails}
        onChange={(event) => change.mutate(event.target.checked)}
      />
      {change.error !== null && <ErrorNotice className="mt-4" error={change.error} />}
    </Section>
  );
}
