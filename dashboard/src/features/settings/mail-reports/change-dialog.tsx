import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { texts } from "#dashboard/texts/index.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { updateMailReport, type MailReport } from "../../mail-reports/queries.ts";
import { ScheduleFields, sentNext, type Schedule } from "../../mail-reports/schedule-fields.tsx";

const { settings: words } = texts.mailReports;

/** Changes when a report is sent. */
export function ChangeDialog({ report, name, onClose }: { report: MailReport; name: string; onClose: () => void }) {
  const { id, frequency, timezone } = report;
  const [schedule, setSchedule] = useState<Schedule>({ frequency, timezone });
  const save = useMutation({
    mutationFn: () => updateMailReport(id, schedule),
    onSuccess: (saved) => {
      showChange(`${words.changed(name)} ${sentNext(saved)}`, () => updateMailReport(id, { frequency, timezone }));
      onClose();
    },
  });
  return (
    <FormDialog onClose={onClose} title={words.change(name)} action={texts.ui.save} save={save}>
      <ScheduleFields
        schedule={schedule}
        error={save.error}
        onChange={(changes) => setSchedule({ ...schedule, ...changes })}
      />
    </FormDialog>
  );
}
