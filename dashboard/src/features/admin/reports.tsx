import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Report } from "#src/admin/reports/contract.ts";
import { formatMoment, formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { AccountLink, AdminList, Fact, Row, StateChoice, type State } from "./admin-list.tsx";
import { dismissReport, takeDownReported, useReports, type Imposed } from "./queries.ts";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";

/** What visitors reported. */
export function Reports() {
  const [state, setState] = useState<State>("open");
  const list = useReports(state);
  const [chosen, setChosen] = useState<Report | null>(null);
  return (
    <>
      <StateChoice state={state} onChange={setState} />
      <AdminList name="reports" list={list}>
        {(report) => <ReportRow key={report.id} report={report} onTakeDown={() => setChosen(report)} />}
      </AdminList>
      {chosen !== null && (
        <TakedownDialog
          name={chosen.shortUrl}
          kinds={kindsOf(chosen)}
          reason={chosen.reason}
          onClose={() => setChosen(null)}
          onTakeDown={async (_, imposed) => {
            await takeDownReported(chosen.id, imposed);
            showChange(consoleTexts.report.wasTakenDown(chosen.shortUrl));
          }}
        />
      )}
    </>
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

function ReportRow({ report, onTakeDown }: { report: Report; onTakeDown: () => void }) {
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
        <Button size="small" kind="caution" onClick={onTakeDown}>
          {words.takeDown}
        </Button>
      </>
    ) : undefined;
  return (
    <Row name={report.shortUrl} badges={badges} actions={actions}>
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
