import { formatMoment } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Options, SelectField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { TimeZoneField } from "#dashboard/ui/time-zone-field.tsx";
import type { MailReport } from "./queries.ts";

/** When a report is sent. */
export type Schedule = Pick<MailReport, "frequency" | "timezone">;

const { schedule: words } = texts.mailReports;

/** When a report is sent, to choose. */
export function ScheduleFields({
  schedule,
  error,
  onChange,
}: {
  schedule: Schedule;
  error: Error | null;
  onChange: (changes: Partial<Schedule>) => void;
}) {
  return (
    <>
      <SelectField
        label={words.label}
        hint={words.hint}
        error={fieldError(error, "frequency")}
        value={schedule.frequency}
        onValue={(value) => onChange({ frequency: value as Schedule["frequency"] })}
      >
        <Options values={["weekly", "monthly"]} nameOf={(frequency) => words[frequency]} />
      </SelectField>
      <TimeZoneField value={schedule.timezone} onChange={(timezone) => onChange({ timezone })} />
    </>
  );
}

/** Says when the report is sent next. */
export const sentNext = ({ nextAt }: MailReport): string => words.next(formatMoment(nextAt));
