import type { Webhook } from "#src/webhooks/contract.ts";
import { formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Badge, Section } from "#dashboard/ui/layout.tsx";
import { Fact } from "../fact.tsx";

/** The settings of a webhook. */
export function Details({ webhook }: { webhook: Webhook }) {
  const { title, secret, secretHint, created, last, links } = texts.webhooks.details;
  const { events, lastTriggeredAt, createdAt } = webhook;
  return (
    <Section title={title}>
      <dl className="grid gap-x-6 gap-y-3 grid-cols-[6rem_minmax(0,1fr)] sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Fact label={texts.webhooks.events.label}>
          <ul className="flex flex-wrap gap-1.5">
            {events.map((event) => (
              <li key={event} title={texts.webhooks.events.names[event]}>
                <Badge>{event}</Badge>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label={texts.webhooks.form.format}>{texts.webhooks.form.formats[webhook.format]}</Fact>
        <Fact label={links}>{filterText(webhook)}</Fact>
        <Fact label={secret}>
          <code className="font-mono text-sm">{webhook.secret.slice(0, 8)}…</code>{" "}
          <span className="text-sm text-soft">{secretHint}</span>
        </Fact>
        <Fact label={last}>
          {lastTriggeredAt === null ? (
            texts.webhooks.noDelivery
          ) : (
            <span title={formatMoment(lastTriggeredAt)}>{formatRelative(lastTriggeredAt)}</span>
          )}
        </Fact>
        <Fact label={created}>{formatMoment(createdAt)}</Fact>
      </dl>
    </Section>
  );
}

function filterText({ linkIds, tags }: Webhook): string {
  const { everyLink, tagged, single } = texts.webhooks.details;
  const parts = [
    ...(tags === null ? [] : [tagged(tags.join(", "))]),
    ...(linkIds === null ? [] : [single(linkIds.length)]),
  ];
  return parts.length === 0 ? everyLink : parts.join(" + ");
}
