import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Report } from "#src/safety/reports/contract.ts";
import { formatMoment, formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Badge } from "../../ui/layout.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { AccountLink, AdminList, Fact, Row, StateChoice, type State } from "./admin-list.tsx";
import { dismissReport, dismissReports, takeDownReported, useReports, type Imposed } from "./queries.ts";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";
import { TakeDownButton } from "./takedown-buttons.tsx";

/** What visitors reported. */
export function Reports() {
  const [state, setState] = useState<State>("open");
  const list = useReports(state);
  const [takenDown, setTakenDown] = useState<Report | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const open = state === "open" ? (list.items ?? []).map(({ id }) => id) : [];
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  return (
    <>
      <StateChoice state={state} onChange={setState} />
      {open.length > 0 && <Choice shown={open} chosen={chosen} onChoose={choose} />}
      <AdminList name="reports" list={list}>
        {(report) => (
          <ReportRow
            key={report.id}
            report={report}
            isChosen={chosen.has(report.id)}
            onChoose={(isChosen) => choose([report.id], isChosen)}
            onTakeDown={() => setTakenDown(report)}
          />
        )}
      </AdminList>
      {takenDown !== null && (
        <TakedownDialog
          name={takenDown.shortUrl}
          kinds={kindsOf(takenDown)}
          reason={takenDown.reason}
          onClose={() => setTakenDown(null)}
          onTakeDown={async (_, imposed) => {
            await takeDownReported(takenDown.id, imposed);
            showChange(consoleTexts.report.wasTakenDown(takenDown.shortUrl));
          }}
        />
      )}
    </>
  );
}

/** Chooses all reports that are shown, and dismisses those that are chosen. */
function Choice({
  shown,
  chosen,
  onChoose,
}: {
  shown: readonly string[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
}) {
  const words = consoleTexts.report;
  const ids = shown.filter((id) => chosen.has(id));
  const dismiss = useMutation({
    mutationFn: () => dismissReports(ids),
    onSuccess: () => showChange(words.wereDismissed),
    onError: showProblem,
  });
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-5">
      <Checkbox
        label={words.chooseAll}
        checked={ids.length === shown.length}
        onChange={({ currentTarget }) => onChoose(shown, currentTarget.checked)}
      />
      {ids.length > 0 && (
        <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {words.dismissChosen(ids.length)}
        </Button>
      )}
    </div>
  );
}

/** What can be taken down for the report. */
function kindsOf({ accountId, domain }: Report): Imposed["kind"][] {
  return [
    "link",
    ...(accountId === null ? [] : (["account"] as const)),
    ...(domain === null ? [] : (["domain"] as const)),
  ];
}

function ReportRow({
  report,
  isChosen,
  onChoose,
  onTakeDown,
}: {
  report: Report;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onTakeDown: () => void;
}) {
  const words = consoleTexts.report;
  const dismiss = useMutation({
    mutationFn: () => dismissReport(report.id),
    onSuccess: () => showChange(words.wasDismissed),
    onError: showProblem,
  });
  const { name, email } = report.reporter;
  const reporter = [name, email].filter((part) => part !== null).join(", ");
  const badges = (
    <>
      <Badge kind="warn">{texts.takedowns.reasons[report.reason]}</Badge>
      {report.openReports > 1 && <Badge>{words.sameLink(report.openReports)}</Badge>}
      {report.decision !== null && (
        <Badge kind={report.decision === "taken_down" ? "bad" : "good"}>{words[report.decision]}</Badge>
      )}
    </>
  );
  const actions =
    report.decision === null ? (
      <>
        <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {words.dismiss}
        </Button>
        <TakeDownButton onClick={onTakeDown} />
      </>
    ) : undefined;
  const choice =
    report.decision === null ? (
      <Checkbox
        hideLabel
        label={words.choose(report.shortUrl)}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
    ) : undefined;
  return (
    <Row choice={choice} name={report.shortUrl} badges={badges} actions={actions}>
      <Fact label={words.leadsTo}>{report.destination ?? words.deleted}</Fact>
      {report.details !== null && <p className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">{report.details}</p>}
      <Fact label={words.reporter}>{reporter === "" ? words.unknown : reporter}</Fact>
      <Fact label={words.account}>
        {report.accountId === null ? words.anonymous : <AccountLink id={report.accountId} name={report.accountName} />}
      </Fact>
      <p className="mt-1 text-sm text-soft" title={formatMoment(report.createdAt)}>
        {formatRelative(report.createdAt)}
      </p>
    </Row>
  );
}
