import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { tagsQuery } from "#dashboard/api/resources.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { Options, SelectField } from "#dashboard/ui/field.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { useAnalytics } from "./context.ts";
import type { Subject } from "./source.ts";
import { createMailReport, deleteMailReport } from "../mail-reports/queries.ts";
import { ScheduleFields, sentNext, type Schedule } from "../mail-reports/schedule-fields.tsx";

const { subscribe: words, all } = texts.mailReports;

/** Asks for the clicks of a link, of a tag or of all links by mail. */
export function SubscribeDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const { view } = useAnalytics();
  const { user } = useSession();
  const [schedule, setSchedule] = useState<Schedule>({ frequency: "weekly", timezone: view.timezone });
  const [tag, setTag] = useState(tagOfFilter(view.filters.tag));
  const create = useMutation({
    mutationFn: () =>
      createMailReport({
        ...schedule,
        ...(subject.kind === "link" ? { linkId: subject.link.id } : tag !== "" && { tag }),
      }),
    onSuccess: (report) => {
      showChange(`${words.created} ${sentNext(report)}`, () => deleteMailReport(report.id));
      onClose();
    },
  });
  const { error } = create;
  return (
    <FormDialog
      onClose={onClose}
      title={subject.kind === "link" ? words.ofLink(withoutScheme(subject.link.shortUrl)) : words.title}
      description={words.lead(user.email)}
      action={words.action}
      save={create}
      error={["tag", "timezone"].some((name) => fieldError(error, name) !== undefined) ? null : error}
    >
      {subject.kind === "account" && <TagField tag={tag} error={error} onChange={setTag} />}
      <ScheduleFields
        schedule={schedule}
        error={error}
        onChange={(changes) => setSchedule({ ...schedule, ...changes })}
      />
      <p className="text-sm text-soft">
        <Link to="/settings/$section" params={{ section: "reports" }} onClick={onClose} className="underline">
          {words.list}
        </Link>
      </p>
    </FormDialog>
  );
}

/** All links, or those with a tag. */
function TagField({ tag, error, onChange }: { tag: string; error: Error | null; onChange: (tag: string) => void }) {
  const { data = [] } = useQuery(tagsQuery());
  const names = new Set([...(tag === "" ? [] : [tag]), ...data.map(({ name }) => name)]);
  return (
    <SelectField label={words.links} error={fieldError(error, "tag")} value={tag} onValue={onChange}>
      <option value="">{all}</option>
      <Options values={[...names]} nameOf={(name) => texts.mailReports.ofTag(name)} />
    </SelectField>
  );
}

/** The tag that the page shows alone. An exclamation mark in front excludes one. */
function tagOfFilter(tags: readonly string[] = []): string {
  const [tag = "", ...others] = tags;
  return others.length > 0 || tag.startsWith("!") ? "" : tag;
}
