import type { UseMutationResult } from "@tanstack/react-query";
import { X } from "lucide-react";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { IconButton } from "#dashboard/ui/button.tsx";
import { ErrorNotice, Notice } from "#dashboard/ui/notice.tsx";
import { CodeBlock } from "../code-block.tsx";
import { formatBody } from "./format-body.ts";
import type { PingResult } from "./queries.ts";
import { nameOfResult } from "./result-names.ts";

/** What the receiver answered to a test ping. */
export function PingAnswer({ ping }: { ping: UseMutationResult<PingResult, Error, void> }) {
  const { good, bad, none, time, body, noBody, close } = texts.webhooks.ping;
  if (ping.error !== null) return <ErrorNotice className="mb-6" error={ping.error} onRetry={() => ping.mutate()} />;
  if (ping.data === undefined) return null;
  const { success, status, statusText = "", delivery } = ping.data;
  const [attempt] = delivery?.attempts ?? [];
  const summary = success
    ? good(status)
    : status === 0
      ? none(nameOfResult(status, statusText))
      : bad(status, statusText);
  const answer = delivery?.responseBody ?? null;
  return (
    <Notice
      kind={success ? "good" : "bad"}
      className="mb-6"
      title={summary}
      action={<IconButton label={close} icon={<X size={16} aria-hidden />} size="small" onClick={() => ping.reset()} />}
    >
      {attempt !== undefined && <p className="tabular text-sm">{time(formatCount(attempt.durationMs))}</p>}
      {answer !== null && answer !== "" && (
        <div className="mt-3">
          <CodeBlock label={body} text={formatBody(answer)} copied={answer} />
        </div>
      )}
      {success && <p className="text-sm text-soft">{noBody}</p>}
    </Notice>
  );
}
