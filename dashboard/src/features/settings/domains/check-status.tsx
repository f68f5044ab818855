import { LOCALE } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { CHECK_INTERVAL_SECONDS, type DomainCheck } from "./use-domain-check.ts";

const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" });

/** Says when the records were checked last, and when they will be again. */
export function CheckStatus({ check }: { check: DomainCheck }) {
  const { waiting, last, next } = texts.domains.check;
  return (
    <p role="status" className="min-w-0 flex-1 basis-60 text-sm text-soft">
      {check.checkedAt !== null && `${last(clock.format(check.checkedAt))} `}
      {check.isWatching && `${next(CHECK_INTERVAL_SECONDS)} ${waiting}`}
    </p>
  );
}
