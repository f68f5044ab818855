import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_STATEMENT_CHARS } from "#src/safety/limits.ts";
import { formatRelative } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextareaField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Badge } from "../../ui/layout.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { AdminList, Fact, Row, StateChoice, type State } from "./admin-list.tsx";
import { decideAppeal, useAppeals, type ListedAppeal } from "./queries.ts";
import { toLine } from "./takedown-dialog.tsx";
import { reasonOf } from "./takedowns.tsx";
import { consoleTexts } from "./texts.ts";

/** What owners say against takedowns. */
export function Appeals() {
  const [state, setState] = useState<State>("open");
  const list = useAppeals(state);
  const [chosen, setChosen] = useState<ListedAppeal | null>(null);
  const { says, was, decide, ...words } = consoleTexts.appeal;
  return (
    <>
      <StateChoice state={state} onChange={setState} />
      <AdminList name="appeals" list={list}>
        {(each) => {
          const { takedown, appeal } = each;
          const badge = appeal.decision !== null && (
            <Badge kind={appeal.decision === "reversed" ? "good" : "bad"}>{words[appeal.decision]}</Badge>
          );
          const actions =
            appeal.decision === null ? (
              <Button size="small" onClick={() => setChosen(each)}>
                {decide}
              </Button>
            ) : undefined;
          return (
            <Row key={appeal.id} name={takedown.value} badges={badge} actions={actions}>
              <p className="mt-1">{was(reasonOf(takedown))}</p>
              {takedown.statement !== null && (
                <p className="text-soft [overflow-wrap:anywhere]">{takedown.statement}</p>
              )}
              <Fact label={says}>{appeal.statement}</Fact>
              <p className="mt-1 text-sm text-soft">{formatRelative(appeal.createdAt)}</p>
            </Row>
          );
        }}
      </AdminList>
      {chosen !== null && <DecideDialog {...chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function DecideDialog({ appeal, takedown, onClose }: ListedAppeal & { onClose: () => void }) {
  const words = consoleTexts.appeal;
  const [action, setAction] = useState<"uphold" | "reverse">("uphold");
  const [answer, setAnswer] = useState("");
  const save = useMutation({
    mutationFn: () => decideAppeal(appeal.id, action, toLine(answer)),
    onSuccess: () => {
      showChange(words.wasDecided);
      onClose();
    },
  });
  return (
    <FormDialog onClose={onClose} title={words.title(takedown.value)} action={words.action} save={save}>
      <SelectField label={words.decision} value={action} onValue={(value) => setAction(value as typeof action)}>
        <option value="uphold">{words.uphold}</option>
        <option value="reverse">{words.reverse}</option>
      </SelectField>
      <TextareaField
        label={words.answer}
        error={fieldError(save.error, "answer")}
        maxLength={MAX_STATEMENT_CHARS}
        value={answer}
        onValue={setAnswer}
      />
    </FormDialog>
  );
}
