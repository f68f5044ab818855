import { useMutation } from "@tanstack/react-query";
import type { Webhook } from "#src/webhooks/contract.ts";
import type { DeliveryWithBodies } from "#src/webhooks/delivery-contract.ts";
import { formatCount, formatMoment } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyText } from "#dashboard/ui/copy.tsx";
import { Dialog } from "#dashboard/ui/dialog.tsx";
import { Skeleton } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { CodeBlock } from "../code-block.tsx";
import { DeliveryStatus } from "./delivery-status.tsx";
import { formatBody } from "./format-body.ts";
import { retryDelivery, useDelivery } from "./queries.ts";
import { nameOfResult } from "./result-names.ts";
import { ColumnHead } from "#dashboard/ui/column-head.tsx";

interface Props {
  webhook: Webhook;
  id: string;
  mayChange: boolean;
  onClose: () => void;
}

/** A delivery with all its attempts, and what was sent and received. */
export function DeliveryDialog({ webhook, id, mayChange, onClose }: Props) {
  const { title, again, queued, dropped, inactive } = texts.webhooks.delivery;
  const { data, error, refetch } = useDelivery(webhook.id, id);
  const retry = useMutation({
    mutationFn: () => retryDelivery(webhook.id, id),
    onSuccess: () => showChange(queued),
  });
  const delivery = data?.delivery;
  const obstacle = webhook.status === "inactive" ? inactive : delivery?.status === "dropped" ? dropped : undefined;
  return (
    <Dialog
      size="large"
      onClose={onClose}
      title={title(delivery?.event ?? "…")}
      footer={
        <>
          {obstacle !== undefined && <span className="me-auto text-sm text-soft">{obstacle}</span>}
          <Button onClick={onClose}>{texts.ui.close}</Button>
          <Button
            kind="primary"
            disabled={!mayChange || obstacle !== undefined || delivery === undefined}
            busy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {again}
          </Button>
        </>
      }
    >
      {retry.error !== null && <ErrorNotice className="mb-4" error={retry.error} />}
      {delivery === undefined && error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {delivery === undefined && error === null && <Skeleton className="h-80" />}
      {delivery !== undefined && <Content delivery={delivery} />}
    </Dialog>
  );
}

function Content({ delivery }: { delivery: DeliveryWithBodies }) {
  const { id, happened, request, noRequest, response, noResponse, headers } = texts.webhooks.delivery;
  return (
    <>
      <dl className="mb-5 flex flex-wrap items-center gap-x-8 gap-y-2">
        <div>
          <dt className="sr-only">{texts.webhooks.deliveries.status}</dt>
          <dd>
            <DeliveryStatus status={delivery.status} />
          </dd>
        </div>
        <div className="flex gap-2">
          <dt className="text-soft">{happened}</dt>
          <dd>{formatMoment(delivery.createdAt)}</dd>
        </div>
        <div className="flex min-w-0 items-center gap-2">
          <dt className="text-soft">{id}</dt>
          <dd className="min-w-0">
            <CopyText text={delivery.id} />
          </dd>
        </div>
      </dl>
      <Attempts attempts={delivery.attempts} />
      <div className="mt-5 grid gap-x-6 lg:grid-cols-2">
        <div className="min-w-0">
          <CodeBlock label={headers} text={headersText(delivery)} />
          {delivery.requestBody === null ? (
            <Absent label={request} text={noRequest} />
          ) : (
            <CodeBlock label={request} text={formatBody(delivery.requestBody)} copied={delivery.requestBody} />
          )}
        </div>
        <div className="min-w-0">
          {delivery.responseBody === null ? (
            <Absent label={response} text={noResponse} />
          ) : (
            <CodeBlock label={response} text={formatBody(delivery.responseBody)} copied={delivery.responseBody} />
          )}
        </div>
      </div>
    </>
  );
}

function Absent({ label, text }: { label: string; text: string }) {
  return (
    <div className="mb-4">
      <p className="mb-1 font-semibold">{label}</p>
      <p className="text-soft">{text}</p>
    </div>
  );
}

/** The headers of every attempt (6.3). Those of the signature differ from attempt to attempt. */
function headersText({ id, event }: DeliveryWithBodies): string {
  const { signed, sent } = texts.webhooks.delivery;
  return [
    "Content-Type: application/json",
    "User-Agent: Service-Webhook/1.0",
    `X-Service-Event: ${event}`,
    `X-Service-Signature: (${signed})`,
    `webhook-id: ${id}`,
    `webhook-timestamp: (${sent})`,
    `webhook-signature: (${signed})`,
  ].join("\n");
}

function Attempts({ attempts }: Pick<DeliveryWithBodies, "attempts">) {
  const { attempts: label, noAttempts, time, answer, duration, noAnswer } = texts.webhooks.delivery;
  if (attempts.length === 0) return <p className="text-soft">{noAttempts}</p>;
  return (
    <table className="w-full text-start">
      <caption className="mb-1 text-start font-semibold">{label}</caption>
      <thead className="text-sm text-soft">
        <tr>
          <ColumnHead className="py-1 pe-4">{time}</ColumnHead>
          <ColumnHead className="py-1 pe-4">{answer}</ColumnHead>
          <ColumnHead className="py-1 text-end">{duration}</ColumnHead>
        </tr>
      </thead>
      <tbody className="tabular divide-y divide-line border-t border-line">
        {attempts.map(({ at, status, statusText, durationMs }) => (
          <tr key={at}>
            <td className="py-1.5 pe-4">{formatMoment(at)}</td>
            <td className="py-1.5 pe-4">
              {status === 0 ? noAnswer : status} {statusText !== null && `(${nameOfResult(status, statusText)})`}
            </td>
            <td className="py-1.5 text-end">{texts.webhooks.ping.time(formatCount(durationMs))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
