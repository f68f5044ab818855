import { useState } from "react";
import { DAY_MS, HOUR_MS } from "#src/limits.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { Options, SelectField } from "#dashboard/ui/field.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { retryDeliveries } from "./queries.ts";
import { DELIVERY_KEPT_MS, MAX_RETRIED_DELIVERIES } from "#src/webhooks/limits.ts";

const PERIODS = { hour: HOUR_MS, day: DAY_MS, threeDays: 3 * DAY_MS, month: DELIVERY_KEPT_MS };
type Period = keyof typeof PERIODS;

/** Sends the failed deliveries of a period again. */
export function RetryDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { title, text, since, periods, action, done } = texts.webhooks.retry;
  const [period, setPeriod] = useState<Period>("day");
  const retry = async () => {
    showChange(done(await retryDeliveries(webhookId, Date.now() - PERIODS[period])));
    onClose();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      description={text(formatCount(MAX_RETRIED_DELIVERIES))}
      action={action}
      onConfirm={retry}
    >
      <SelectField label={since} value={period} onValue={(value) => setPeriod(value as Period)}>
        <Options values={Object.keys(PERIODS)} nameOf={(each) => periods[each as Period]} />
      </SelectField>
    </ConfirmDialog>
  );
}
