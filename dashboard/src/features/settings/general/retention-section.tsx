import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { DAY_MS } from "#src/limits.ts";
import type { Account } from "#dashboard/api/types.ts";
import { formatMoment } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Form } from "#dashboard/ui/form.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { explainError } from "#dashboard/ui/notice.tsx";
import { updateAccount } from "./update-account.ts";

/** For how many days the account keeps single clicks. A shorter time deletes some, so it is asked for. */
export function RetentionSection({ account, mayChange }: { account: Account; mayChange: boolean }) {
  const { title, lead, label, hint, saved, confirmTitle, confirmText, action } = texts.settings.general.retention;
  const { days, minDays, maxDays, defaultDays, keptFrom } = account.clickRetention;
  const [entered, setEntered] = useState(account.clickRetentionDays?.toString() ?? "");
  const [isAsking, setAsking] = useState(false);
  const chosen = entered === "" ? null : Number(entered);
  const wanted = chosen ?? defaultDays;
  const save = useMutation({
    mutationFn: () => updateAccount({ clickRetentionDays: chosen }),
    onSuccess: () => {
      setAsking(false);
      showChange(saved(wanted));
    },
  });
  return (
    <Section title={title} lead={lead}>
      <Form
        className="flex flex-wrap items-start gap-3"
        onSubmit={() => {
          if (wanted < days) setAsking(true);
          else save.mutate();
        }}
      >
        <InputField
          className="min-w-0 flex-1 basis-64"
          type="number"
          inputMode="numeric"
          min={minDays}
          max={maxDays}
          step={1}
          disabled={!mayChange}
          label={label}
          hint={hint(minDays, maxDays, defaultDays)}
          error={save.error === null || isAsking ? undefined : explainError(save.error)}
          value={entered}
          onValue={(value) => {
            save.reset();
            setEntered(value);
          }}
        />
        <Button
          type="submit"
          className="sm:mt-7"
          busy={save.isPending && !isAsking}
          disabled={!mayChange || chosen === account.clickRetentionDays}
        >
          {texts.ui.save}
        </Button>
      </Form>
      {isAsking && (
        <ConfirmDialog
          danger
          onClose={() => setAsking(false)}
          title={confirmTitle(wanted)}
          description={confirmText(formatMoment(keptFrom + (days - wanted) * DAY_MS))}
          action={action}
          onConfirm={() => save.mutateAsync()}
        />
      )}
    </Section>
  );
}
