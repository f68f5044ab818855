import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { type Detail } from "../api/error-body.ts";
import { formatRelative } from "../lib/format.ts";
import { PartError } from "../lib/lazy-part.ts";
import { cx } from "../lib/class-names.ts";
import { openAnew } from "../lib/open-anew.ts";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";

const KINDS = {
  info: ["bg-wash", Info, "text-accent"],
  good: ["bg-good-wash", CircleCheck, "text-good"],
  warn: ["bg-warn-wash", TriangleAlert, "text-warn"],
  bad: ["bg-bad-wash", CircleAlert, "text-bad"],
} as const;

/** A message within a page. */
export function Notice({
  kind = "info",
  title,
  children,
  action,
  className,
}: {
  kind?: keyof typeof KINDS;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const [wash, Icon, color] = KINDS[kind];
  return (
    <div
      role={kind === "bad" ? "alert" : "status"}
      className={cx("flex items-start gap-3 rounded-card p-4", wash, className)}
    >
      <Icon size={20} className={cx("mt-0.5 shrink-0", color)} aria-hidden />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}

/** Says why something failed, and offers to try it again. */
export function ErrorNotice({
  error,
  onRetry,
  className,
}: {
  error: unknown;
  onRetry?: () => void;
  className?: string;
}) {
  return (
    <Notice
      kind="bad"
      title={explainError(error)}
      {...(className !== undefined && { className })}
      {...(onRetry !== undefined && {
        action: <RetryButton error={error} onRetry={onRetry} />,
      })}
    >
      {error instanceof ApiError && error.requestId !== null && error.status >= 500 && (
        <p className="text-sm text-soft">{texts.errors.requestId(error.requestId)}</p>
      )}
    </Notice>
  );
}

/** What is wrong with the page itself, only loading it anew can mend. */
function RetryButton({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOfService = error instanceof ApiError;
  return (
    <Button size="small" onClick={isOfService ? onRetry : () => void openAnew()}>
      {isOfService ? texts.ui.retry : texts.ui.reload}
    </Button>
  );
}

/** A sentence for people about an error of the API. */
export function explainError(error: unknown): string {
  if (error instanceof PartError) return texts.errors.notLoaded;
  if (!(error instanceof ApiError)) return texts.errors.unexpected;
  if (error.code === "offline") return texts.errors.offline;
  if (error.status === 429) return explainLimit(error, error.retryAfter ?? 60);
  return error.message;
}

/** Limits of calls are over soon. Others have a reason of their own. */
function explainLimit({ message, details }: ApiError, seconds: number): string {
  if (details.length === 0) return texts.errors.limited(seconds);
  return `${message} ${texts.errors.again(formatRelative(Date.now() + seconds * 1_000))}`;
}

/** What is wrong with a field of the request, by its path, in words that continue its name; undefined if nothing is. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const isOfField = (detail: Detail) => detail.path === path || detail.path.startsWith(`${path}.`);
  return error.details.find((detail) => isOfField(detail) && detail.isSentence !== true)?.message;
}
