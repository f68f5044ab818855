import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Status } from "#src/safety/operators/status/contract.ts";
import { formatRelative } from "../../lib/format.ts";
import { Badge, Section, Skeleton } from "../../ui/layout.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { statusQuery } from "./queries.ts";
import { FileState } from "./screening.tsx";
import { consoleTexts } from "./texts.ts";

const words = consoleTexts.status;

/** The state of the service at a glance. */
export function ServiceStatus() {
  const { data, error, refetch } = useQuery(statusQuery);
  if (data === undefined)
    return error === null ? (
      <Skeleton className="h-96" />
    ) : (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    );
  return (
    <>
      <HealthSection health={data.health} />
      <QueuesSection queues={data.queues} />
      <WaitingSection {...data} />
      <ScreeningSection {...data.screening} />
    </>
  );
}

function HealthSection({ health }: Pick<Status, "health">) {
  if (health === null) return <Section title={words.health} lead={words.neverChecked} />;
  const { service } = consoleTexts;
  const isGood = health.status === "ok";
  return (
    <Section
      title={words.health}
      lead={words.checked(formatRelative(health.checkedAt))}
      actions={<Badge kind={isGood ? "good" : "bad"}>{isGood ? service.ok : service.failed}</Badge>}
    >
      {health.problems.length > 0 && (
        <ul className="list-disc ps-5">
          {health.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function QueuesSection({ queues }: Pick<Status, "queues">) {
  if (queues === null) return <Section title={words.queues} lead={words.noQueues} />;
  return (
    <Section title={words.queues}>
      <Facts>
        {queues.map(({ queue, messages, ageMs, deadMessages }) => (
          <Term key={queue} name={words.queueNames[queue]}>
            {messages === 0 ? words.empty : words.messages(messages, formatRelative(-ageMs, 0))}
            {deadMessages > 0 && <span className="block text-bad">{words.dead(deadMessages)}</span>}
          </Term>
        ))}
      </Facts>
    </Section>
  );
}

function WaitingSection({ waiting, signUp, anonymousLinksPerMinute }: Status) {
  return (
    <Section title={words.decisions}>
      <Facts>
        {(["reports", "appeals"] as const).map((section) => (
          <Term key={section} name={consoleTexts.sections[section]}>
            <Link
              to="/admin/$section"
              params={{ section }}
              className="text-accent underline underline-offset-2 hover:text-accent-strong"
            >
              {words.waiting(waiting[section])}
            </Link>
          </Term>
        ))}
        <Term name={words.signUp}>{words.signUps[signUp]}</Term>
        <Term name={words.anonymous}>{words.perMinute(anonymousLinksPerMinute)}</Term>
      </Facts>
    </Section>
  );
}

function ScreeningSection({ isOn, hasProvider, lists }: Status["screening"]) {
  if (!isOn) return <Section title={words.screening} lead={words.screeningOff} />;
  return (
    <Section title={words.screening} lead={hasProvider ? words.withProvider : words.withoutProvider}>
      {lists === null && <p className="text-bad">{words.noLists}</p>}
      {lists !== null && lists.length === 0 && <p className="text-soft">{words.withoutLists}</p>}
      <ul className="grid gap-3">
        {lists?.map(({ id, value, file }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <b className="font-semibold">{value}</b>
            {file !== null && <FileState file={file} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">{children}</dl>
);

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
