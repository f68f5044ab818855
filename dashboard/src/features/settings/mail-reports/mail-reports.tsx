import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Mail } from "lucide-react";
import { useState } from "react";
import { browserTimeZone } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { Card, EmptyState } from "#dashboard/ui/layout.tsx";
import { useLinkNames } from "../../analytics/link-names.ts";
import {
  askFor,
  createMailReport,
  deleteMailReport,
  useMailReports,
  type MailReport,
} from "../../mail-reports/queries.ts";
import { sentNext } from "../../mail-reports/schedule-fields.tsx";
import { ListOf, SettingsHeader } from "../frame.tsx";
import { toListed } from "../queries.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const { settings: words, schedule, all, ofTag } = texts.mailReports;

/** The reports of clicks that the person gets of the account. */
export function MailReportSettings() {
  const list = toListed(useMailReports());
  const names = useLinkNames((list.items ?? []).flatMap(({ linkId }) => linkId ?? []));
  const [changed, setChanged] = useState<MailReport | null>(null);
  const nameOf = ({ linkId, tag }: MailReport) =>
    linkId !== null ? (names.get(linkId) ?? words.link) : tag === null ? all : ofTag(tag);
  const analytics = (
    <Button asChild>
      <Link to="/analytics">{words.create}</Link>
    </Button>
  );
  return (
    <>
      <SettingsHeader
        title={texts.settings.sections.reports}
        lead={words.lead}
        actions={list.items?.length === 0 ? undefined : analytics}
      />
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<Mail aria-hidden />} {...words.empty} action={analytics} />
          </Card>
        }
      >
        {(reports) => (
          <Card>
            <ul className="divide-y divide-line">
              {reports.map((report) => (
                <Row key={report.id} report={report} name={nameOf(report)} onChange={() => setChanged(report)} />
              ))}
            </ul>
          </Card>
        )}
      </ListOf>
      {changed !== null && <ChangeDialog report={changed} name={nameOf(changed)} onClose={() => setChanged(null)} />}
    </>
  );
}

function Row({ report, name, onChange }: { report: MailReport; name: string; onChange: () => void }) {
  const { frequency, timezone, linkId } = report;
  const stop = useMutation({
    mutationFn: () => deleteMailReport(report.id),
    onSuccess: () => showChange(words.stopped(name), () => createMailReport(askFor(report))),
    onError: showProblem,
  });
  return (
    <li className="flex items-center gap-3 px-5 py-3">
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">
          {linkId === null ? (
            <bdi>{name}</bdi>
          ) : (
            <Link to="/links/$linkId" params={{ linkId }} className="underline">
              <bdi>{name}</bdi>
            </Link>
          )}
        </p>
        <p className="text-sm text-soft">
          {schedule[frequency]}
          {timezone !== browserTimeZone() && ` (${timezone.replaceAll("_", " ")})`}
        </p>
        <p className="text-sm text-soft">{sentNext(report)}</p>
      </div>
      <EditButton label={`${texts.settings.edit}: ${name}`} onClick={onChange} />
      <DeleteButton label={`${words.stop}: ${name}`} disabled={stop.isPending} onClick={() => stop.mutate()} />
    </li>
  );
}
