import { useState } from "react";
import type { FoundLink } from "#src/safety/operators/search/contract.ts";
import { formatMoment, formatRelative } from "../../lib/format.ts";
import { texts } from "../../texts/index.ts";
import { Badge } from "../../ui/layout.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { AccountLink, AdminList, Fact, Row } from "./admin-list.tsx";
import { Finder, useWanted } from "./finder.tsx";
import { takeDown, useFoundLinks } from "./queries.ts";
import { TakedownDialog } from "./takedown-dialog.tsx";
import { consoleTexts } from "./texts.ts";
import { TakeDownButton } from "./takedown-buttons.tsx";

/** All links of the service, those without an account too. */
export function FoundLinks() {
  const wanted = useWanted();
  const list = useFoundLinks(wanted);
  const [chosen, setChosen] = useState<FoundLink | null>(null);
  return (
    <>
      <Finder section="links" wanted={wanted} />
      <AdminList name="links" list={list}>
        {(link) => <LinkRow key={link.id} link={link} onTakeDown={() => setChosen(link)} />}
      </AdminList>
      {chosen !== null && (
        <TakedownDialog
          name={chosen.shortUrl}
          kinds={chosen.accountId === null ? ["link"] : ["link", "account"]}
          onClose={() => setChosen(null)}
          onTakeDown={async (_, imposed) => {
            await takeDown(imposed.kind === "account" ? (chosen.accountId ?? "") : chosen.id, imposed);
            showChange(consoleTexts.report.wasTakenDown(chosen.shortUrl));
          }}
        />
      )}
    </>
  );
}

function LinkRow({ link, onTakeDown }: { link: FoundLink; onTakeDown: () => void }) {
  const { leadsTo, account, anonymous } = consoleTexts.report;
  const { shortUrl, title, accountId, verdict } = link;
  const badges = (
    <>
      {link.hasPassword && <Badge>{texts.linkList.status.password}</Badge>}
      {verdict.state !== "allowed" && (
        <Badge kind={verdict.state === "blocked" ? "bad" : "warn"}>{consoleTexts.link.states[verdict.state]}</Badge>
      )}
    </>
  );
  const actions = verdict.state === "blocked" ? undefined : <TakeDownButton onClick={onTakeDown} />;
  return (
    <Row name={shortUrl} badges={badges} actions={actions}>
      <Fact label={leadsTo}>{link.destination}</Fact>
      {title !== null && <Fact label={consoleTexts.link.title}>{title}</Fact>}
      <Fact label={account}>{accountId === null ? anonymous : <AccountLink id={accountId} />}</Fact>
      <p className="mt-1 text-sm text-soft" title={formatMoment(link.createdAt)}>
        {texts.linkList.clicks(link.clicks)}, {consoleTexts.account.made(formatRelative(link.createdAt))}
      </p>
    </Row>
  );
}
