import { ApiError } from "#dashboard/api/client.ts";
import { formatTime } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { explainError } from "#dashboard/ui/notice.tsx";

/** A limit of calls is over within this time; one of jobs or exports is not. */
const CALL_WINDOW_SECONDS = 60;

/** Like `explainError`; a limit of an hour gets the time at which the next one can start. */
export function explainStart(error: unknown, perHour: number, explain = texts.moving.limited): string {
  if (!(error instanceof ApiError) || error.status !== 429 || (error.retryAfter ?? 0) <= CALL_WINDOW_SECONDS)
    return explainError(error);
  return explain(perHour, formatTime(Date.now() + (error.retryAfter ?? 0) * 1_000));
}
