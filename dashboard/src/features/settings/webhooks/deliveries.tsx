import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { EVENT_TYPES } from "#src/platform/outbox/event-types.ts";
import type { Webhook } from "#src/webhooks/contract.ts";
import type { Delivery } from "#src/webhooks/delivery-contract.ts";
import { formatMoment, formatRelative } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Options, Select } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { ListOf } from "../frame.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryStatus } from "./delivery-status.tsx";
import { useDeliveries, type EventName } from "./queries.ts";
import { RetryDialog } from "./retry-dialog.tsx";
import { nameOfResult } from "./result-names.ts";

const STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

/** The view of the deliveries, which the URL holds. */
interface View {
  status?: Delivery["status"] | undefined;
  event?: EventName | undefined;
  delivery?: string | undefined;
}

/** The delivery log of a webhook. */
export function Deliveries({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const { title, lead, empty, noMatch, retryFailed } = texts.webhooks.deliveries;
  const navigate = useNavigate();
  const view = readView(useSearch({ strict: false }));
  const show = (changes: View) =>
    void navigate({
      to: "/settings/$section/$id",
      params: { section: "webhooks", id: webhook.id },
      search: (current: View) => ({ ...current, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const { status, event } = view;
  const list = useDeliveries(webhook.id, { status, event });
  const [isRetrying, setRetrying] = useState(false);
  return (
    <Section
      title={title}
      lead={lead}
      actions={
        <Button
          size="small"
          disabled={!mayChange || webhook.status === "inactive"}
          title={webhook.status === "inactive" ? texts.webhooks.delivery.inactive : undefined}
          onClick={() => setRetrying(true)}
        >
          {retryFailed}
        </Button>
      }
    >
      <Filters view={view} onChange={show} />
      <ListOf
        list={list}
        empty={
          <p className="py-6 text-center text-soft">{status === undefined && event === undefined ? empty : noMatch}</p>
        }
      >
        {(deliveries) => (
          <ul className="-mx-5 divide-y divide-line border-t border-line last:-mb-5">
            {deliveries.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} onOpen={() => show({ delivery: delivery.id })} />
            ))}
          </ul>
        )}
      </ListOf>
      {view.delivery !== undefined && (
        <DeliveryDialog
          webhook={webhook}
          id={view.delivery}
          mayChange={mayChange}
          onClose={() => show({ delivery: undefined })}
        />
      )}
      {isRetrying && <RetryDialog webhookId={webhook.id} onClose={() => setRetrying(false)} />}
    </Section>
  );
}

/** Leaves out what the URL has and nobody can choose. */
function readView(search: Record<string, unknown>): View {
  const { delivery } = search;
  return {
    status: STATUSES.find((status) => status === search["status"]),
    event: EVENT_TYPES.find((event) => event === search["event"]),
    delivery: typeof delivery === "string" ? delivery : undefined,
  };
}

function Filters({ view, onChange }: { view: View; onChange: (changes: View) => void }) {
  const { status, statuses, event, allEvents } = texts.webhooks.deliveries;
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <Select
        aria-label={status}
        className="w-40!"
        value={view.status ?? ""}
        onChange={({ target }) => onChange({ status: STATUSES.find((each) => each === target.value) })}
      >
        <option value="">{statuses.all}</option>
        <Options values={STATUSES} nameOf={(each) => statuses[each]} />
      </Select>
      <Select
        aria-label={event}
        className="w-48!"
        value={view.event ?? ""}
        onChange={({ target }) => onChange({ event: EVENT_TYPES.find((each) => each === target.value) })}
      >
        <option value="">{allEvents}</option>
        <Options values={EVENT_TYPES} />
      </Select>
    </div>
  );
}

function Row({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }) {
  const { attempts, next } = texts.webhooks.deliveries;
  const [last] = delivery.attempts;
  return (
    <li>
      <button
        type="button"
        className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5 text-start hover:bg-sunken"
        onClick={onOpen}
      >
        <span className="w-24">
          <DeliveryStatus status={delivery.status} />
        </span>
        <span className="min-w-0 flex-1 basis-60">
          <code className="block font-mono text-sm">{delivery.event}</code>
          <span className="tabular block text-sm text-soft">
            {attempts(delivery.attempts.length)}
            {last !== undefined && `, ${last.status > 0 ? last.status : nameOfResult(0, last.statusText ?? "")}`}
            {delivery.nextAttemptAt !== null && `, ${next(formatRelative(delivery.nextAttemptAt))}`}
          </span>
        </span>
        <time
          dateTime={new Date(delivery.createdAt).toISOString()}
          title={formatMoment(delivery.createdAt)}
          className="w-28 text-end text-sm text-soft max-sm:w-auto"
        >
          {formatRelative(delivery.createdAt)}
        </time>
      </button>
    </li>
  );
}
