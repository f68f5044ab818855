import { useState } from "react";
import type { Takedown } from "#src/safety/takedowns/contract.ts";
import { formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { AdminList, Row } from "./admin-list.tsx";
import { takeDown, useTakedowns } from "./queries.ts";
import { ReverseButton } from "./takedown-buttons.tsx";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";

const KINDS = ["link", "account", "domain", "host"] as const;

/** What was taken down, with what is reversed. */
export function Takedowns() {
  const list = useTakedowns();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="mb-4" kind="caution" onClick={() => setOpen(true)}>
        {consoleTexts.takedown.create}
      </Button>
      <AdminList name="takedowns" list={list}>
        {(takedown) => <TakedownRow key={takedown.id} takedown={takedown} />}
      </AdminList>
      {isOpen && (
        <TakedownDialog
          kinds={KINDS}
          onClose={() => setOpen(false)}
          onTakeDown={async (value, imposed) => {
            await takeDown(value, imposed);
            showChange(consoleTexts.report.wasTakenDown(value));
          }}
        />
      )}
    </>
  );
}

function TakedownRow({ takedown }: { takedown: Takedown }) {
  const words = consoleTexts.takedown;
  const { kinds, inForce, reversed } = texts.takedowns;
  const isInForce = takedown.reversedAt === null;
  const badges = (
    <>
      <Badge>{kinds[takedown.kind]}</Badge>
      <Badge kind="warn">{reasonOf(takedown)}</Badge>
      <Badge kind={isInForce ? "bad" : "good"}>{isInForce ? inForce : reversed}</Badge>
    </>
  );
  const actions = isInForce ? <ReverseButton id={takedown.id} name={takedown.value} /> : undefined;
  return (
    <Row name={takedown.value} badges={badges} actions={actions}>
      {takedown.statement !== null && <p className="mt-1 [overflow-wrap:anywhere]">{takedown.statement}</p>}
      <p className="mt-1 text-sm text-soft">
        {words.by(takedown.createdBy ?? words.goneOperator, formatRelative(takedown.createdAt))}
        {takedown.links !== null && `, ${consoleTexts.account.links(takedown.links)}`}
      </p>
    </Row>
  );
}

/** Why something was taken down. */
export function reasonOf({ reason }: Pick<Takedown, "reason">): string {
  return reason === null ? texts.takedowns.legalOrder : texts.takedowns.reasons[reason];
}
