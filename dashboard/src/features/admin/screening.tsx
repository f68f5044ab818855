import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ScreeningRule } from "#src/safety/screening/contract.ts";
import { ApiError } from "../../api/client.ts";
import { formatCount, formatMoment, formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { AdminList, Row } from "./admin-list.tsx";
import { deleteRule, useRules } from "./queries.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { consoleTexts } from "./texts.ts";

/** What destinations are compared with. */
export function Screening() {
  const list = useRules();
  const [isOpen, setOpen] = useState(false);
  const { off } = consoleTexts.rule;
  // The only reason for which the list is refused so.
  if (list.error instanceof ApiError && list.error.code === "conflict")
    return (
      <>
        <h2 className="sr-only">{consoleTexts.sections.screening}</h2>
        <Notice title={off.title}>
          <p>{off.text}</p>
        </Notice>
      </>
    );
  return (
    <>
      <Button className="mb-4" onClick={() => setOpen(true)}>
        {consoleTexts.rule.create}
      </Button>
      <AdminList name="screening" list={list}>
        {(rule) => <RuleRow key={rule.id} rule={rule} />}
      </AdminList>
      {isOpen && <RuleDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function RuleRow({ rule }: { rule: ScreeningRule }) {
  const words = consoleTexts.rule;
  const remove = useMutation({
    mutationFn: () => deleteRule(rule.id),
    onSuccess: () => showChange(words.wasDeleted(rule.value)),
    onError: showProblem,
  });
  const badges = (
    <>
      <Badge>{words.kinds[rule.kind]}</Badge>
      <Badge kind={rule.verdict === "allow" ? "good" : "bad"}>{words.states[rule.verdict]}</Badge>
      {rule.reason !== null && <Badge kind="warn">{texts.takedowns.reasons[rule.reason]}</Badge>}
    </>
  );
  const actions = (
    <Button size="small" kind="caution" busy={remove.isPending} onClick={() => remove.mutate()}>
      {words.delete}
    </Button>
  );
  return (
    <Row name={rule.value} badges={badges} actions={actions}>
      {rule.file !== null && <FileState file={rule.file} />}
      {rule.note !== null && <p className="mt-1 [overflow-wrap:anywhere]">{rule.note}</p>}
      <p className="mt-1 text-sm text-soft" title={formatMoment(rule.createdAt)}>
        {consoleTexts.takedown.by(rule.createdBy ?? consoleTexts.takedown.goneOperator, formatRelative(rule.createdAt))}
      </p>
    </Row>
  );
}

/** How fresh the list file is. */
export function FileState({ file }: { file: NonNullable<ScreeningRule["file"]> }) {
  const words = consoleTexts.rule;
  const { entries, refreshedAt, fault } = file;
  return (
    <>
      <p className="mt-1 text-sm">
        {refreshedAt === null ? words.neverRead : words.read(formatCount(entries), formatRelative(refreshedAt))}
      </p>
      {fault !== null && <p className="mt-1 text-sm text-bad [overflow-wrap:anywhere]">{words.fault(fault)}</p>}
    </>
  );
}
