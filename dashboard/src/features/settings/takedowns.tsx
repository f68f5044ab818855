import { useMutation } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import type { Appeal } from "#src/safety/appeals/contract.ts";
import type { Takedown } from "#src/safety/takedowns/contract.ts";
import { MAX_STATEMENT_CHARS } from "#src/safety/limits.ts";
import { call } from "../../api/client.ts";
import { formatMoment } from "../../lib/format.ts";
import { useSession } from "../../session.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { TextareaField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Badge, Card, EmptyState } from "../../ui/layout.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { ListOf, SettingsHeader } from "./frame.tsx";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList } from "./queries.ts";

interface OwnTakedown {
  takedown: Takedown;
  appeal: Appeal | null;
}

/** What operators took down of the account, with the appeals. */
export function TakedownSettings() {
  const { can } = useSession();
  const { lead, empty } = texts.takedowns;
  const list = useList<OwnTakedown>(["takedowns"], "/api/account/takedowns", "takedowns");
  const [chosen, setChosen] = useState<Takedown | null>(null);
  return (
    <>
      <SettingsHeader title={texts.settings.sections.takedowns} lead={lead} />
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<ShieldAlert aria-hidden />} title={empty.title} text={empty.text} />
          </Card>
        }
      >
        {(items) => (
          <Card>
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <Row
                  key={item.takedown.id}
                  {...item}
                  mayAppeal={can("account:write")}
                  onAppeal={() => setChosen(item.takedown)}
                />
              ))}
            </ul>
          </Card>
        )}
      </ListOf>
      {chosen !== null && <AppealDialog takedown={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function Row({ takedown, appeal, mayAppeal, onAppeal }: OwnTakedown & { mayAppeal: boolean; onAppeal: () => void }) {
  const { kinds, reasons, legalOrder, ...words } = texts.takedowns;
  const isInForce = takedown.reversedAt === null;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2">
          <b className="font-semibold">{takedown.value}</b>
          <Badge>{kinds[takedown.kind]}</Badge>
          <Badge kind="warn">{takedown.reason === null ? legalOrder : reasons[takedown.reason]}</Badge>
          <Badge kind={isInForce ? "bad" : "good"}>{isInForce ? words.inForce : words.reversed}</Badge>
        </p>
        <p className="mt-1 text-sm text-soft">{formatMoment(takedown.createdAt)}</p>
        {takedown.statement !== null && <p className="mt-1">{takedown.statement}</p>}
        {appeal !== null && (
          <p className="mt-2">
            <span className="text-soft">{words.yours}: </span>
            {appeal.statement} <b>{appeal.decision === null ? words.waiting : words.decisions[appeal.decision]}</b>{" "}
            {appeal.answer}
          </p>
        )}
      </div>
      {isInForce && appeal === null && mayAppeal && (
        <Button size="small" onClick={onAppeal}>
          {words.appeal}
        </Button>
      )}
    </li>
  );
}

function AppealDialog({ takedown, onClose }: { takedown: Takedown; onClose: () => void }) {
  const { title, statement: label, hint, action, sent } = texts.takedowns;
  const [statement, setStatement] = useState("");
  const save = useMutation({
    mutationFn: async () => {
      // The API takes one line.
      const body = { statement: statement.replaceAll(/\s+/g, " ").trim() };
      await call("POST", `/api/account/takedowns/${takedown.id}/appeal`, { body });
      await readAgain("takedowns");
    },
    onSuccess: () => {
      showChange(sent);
      onClose();
    },
  });
  return (
    <FormDialog onClose={onClose} title={title(takedown.value)} action={action} save={save}>
      <TextareaField
        label={label}
        hint={hint}
        error={fieldError(save.error, "statement")}
        required
        maxLength={MAX_STATEMENT_CHARS}
        value={statement}
        onValue={setStatement}
      />
    </FormDialog>
  );
}
