import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { FoundAccount } from "#src/safety/operators/search/contract.ts";
import { formatDay, formatRelative } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { AdminList, Fact, Row } from "./admin-list.tsx";
import { Finder, useWanted } from "./finder.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { takeDown, useFoundAccounts } from "./queries.ts";
import { ReverseButton, TakeDownButton } from "./takedown-buttons.tsx";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";

/** All accounts of the service. */
export function Accounts() {
  const wanted = useWanted();
  const list = useFoundAccounts(wanted.search);
  const [chosen, setChosen] = useState<FoundAccount | null>(null);
  const [invites, setInvites] = useState(false);
  return (
    <>
      <Button className="mb-4" onClick={() => setInvites(true)}>
        {consoleTexts.account.invite}
      </Button>
      <Finder section="accounts" wanted={{ ...wanted, account: undefined }} />
      <AdminList name="accounts" list={list}>
        {(account) => <AccountRow key={account.id} account={account} onTakeDown={() => setChosen(account)} />}
      </AdminList>
      {invites && <InviteDialog onClose={() => setInvites(false)} />}
      {chosen !== null && (
        <TakedownDialog
          name={chosen.name}
          kinds={["account"]}
          reason="policy"
          onClose={() => setChosen(null)}
          onTakeDown={async (_, imposed) => {
            await takeDown(chosen.id, imposed);
            showChange(consoleTexts.report.wasTakenDown(chosen.name));
          }}
        />
      )}
    </>
  );
}

function AccountRow({ account, onTakeDown }: { account: FoundAccount; onTakeDown: () => void }) {
  const words = consoleTexts.account;
  const { id, name, owners, invited, takedownId } = account;
  const nobody = invited === null ? words.nobody : words.invited(invited);
  const actions = (
    <>
      <Button size="small" asChild>
        <Link
          to="/admin/$section"
          params={{ section: "links" }}
          search={{ account: id }}
          aria-label={words.linksOf(name)}
        >
          {words.showLinks}
        </Link>
      </Button>
      {takedownId === null ? <TakeDownButton onClick={onTakeDown} /> : <ReverseButton id={takedownId} name={name} />}
    </>
  );
  return (
    <Row name={name} badges={<States account={account} />} actions={actions}>
      <Fact label={words.owners}>{owners.length === 0 ? nobody : owners.join(", ")}</Fact>
      <Fact label={words.id}>{id}</Fact>
      <p className="mt-1 text-sm text-soft">
        {words.links(account.links)}, {words.made(formatDay(account.createdAt))}
      </p>
    </Row>
  );
}

function States({ account }: { account: FoundAccount }) {
  const words = consoleTexts.account;
  const { kind, isTrusted, disabledAt, deletedAt, takedownId } = account;
  return (
    <>
      <Badge>{words.kinds[kind]}</Badge>
      {!isTrusted && <Badge kind="warn">{words.untrusted}</Badge>}
      {disabledAt !== null && <Badge kind="warn">{words.disabled(formatRelative(disabledAt))}</Badge>}
      {deletedAt !== null && <Badge kind="warn">{words.deleted(formatRelative(deletedAt))}</Badge>}
      {takedownId !== null && <Badge kind="bad">{consoleTexts.report.taken_down}</Badge>}
    </>
  );
}
