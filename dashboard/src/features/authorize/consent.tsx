import { useState } from "react";
import { nameOfApp } from "../../ui/name-of-app.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { OpenLayout } from "../../ui/open-layout.tsx";
import { AccountField } from "./account-field.tsx";
import { placeOf } from "./places.ts";
import type { Answer, AppRequest } from "./queries.ts";
import { ScopesField } from "./scopes-field.tsx";
import { WithApp } from "./with-app.tsx";

const page = texts.authorize;

interface ConsentProps {
  request: AppRequest;
  /** Whether the request is read for another account that was just chosen. */
  isReading: boolean;
  /** The answer that is under way: whether it allows the access. */
  busy: boolean | null;
  error: Error | null;
  onAnswer: (answer: Answer) => void;
}

/** Who asks, where the answer goes, which account it is for, and what the app may do. */
export function Consent({ request, isReading, busy, error, onAnswer }: ConsentProps) {
  const { client, redirect, scopes, needsConfirmation, isKnown } = request;
  const [unticked, setUnticked] = useState<readonly string[]>([]);
  const chosen = scopes.filter((scope) => !unticked.includes(scope.name));
  const name = nameOfApp(client);
  return (
    <OpenLayout wide title={page.title(name)} heading={<WithApp text={page.title} name={name} />} lead={page.lead}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
        <dt className="text-soft">{page.facts.app}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere]">
          <Proof client={client} />
        </dd>
        <dt className="text-soft">{page.facts.answer}</dt>
        <dd className="min-w-0 [overflow-wrap:anywhere]">
          {placeOf(redirect)}
          {redirect.isLoopback && <span className="text-soft"> ({redirect.host})</span>}
        </dd>
      </dl>
      <Warning request={request} />
      {isKnown && !isReading && <p className="text-sm text-soft">{page.known}</p>}
      <AccountField disabled={busy !== null} />
      <ScopesField
        scopes={scopes}
        chosen={chosen}
        disabled={busy !== null}
        onChange={(kept) => setUnticked(scopes.filter((scope) => !kept.includes(scope)).map((scope) => scope.name))}
      />
      {error !== null && <ErrorNotice error={error} />}
      {needsConfirmation && <p className="text-sm text-soft">{page.confirms}</p>}
      <div className="grid grid-cols-2 gap-3">
        <Button busy={busy === false} disabled={busy === true} onClick={() => onAnswer({ allow: false, scopes: [] })}>
          {page.deny}
        </Button>
        <Button
          kind="primary"
          busy={busy === true}
          disabled={busy === false || isReading || chosen.length === 0}
          onClick={() => onAnswer({ allow: true, scopes: chosen.map((scope) => scope.name) })}
        >
          {page.allow}
        </Button>
      </div>
    </OpenLayout>
  );
}

/** What is known of the app besides the name that it gives itself. */
function Proof({ client: { host, isVerified } }: { client: AppRequest["client"] }) {
  if (!isVerified || host === null) return <Badge kind="warn">{page.facts.unverified}</Badge>;
  return page.facts.verified(host);
}

function Warning({ request: { client, redirect } }: { request: AppRequest }) {
  const { unverified, loopback, scheme, advice } = page.warnings;
  const isProgram = redirect.isLoopback || redirect.scheme !== "https";
  if (client.isVerified && !isProgram) return null;
  const reasons = [
    ...(client.isVerified ? [] : [unverified]),
    ...(isProgram ? [redirect.isLoopback ? loopback : scheme] : []),
  ];
  return <Notice kind="warn">{[...reasons, advice].join(" ")}</Notice>;
}
