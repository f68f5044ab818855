import type { Import } from "#dashboard/api/types.ts";
import { MAX_JOBS_PER_WINDOW } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { useStartImport } from "../queries.ts";
import { explainStart } from "../work/explain.ts";
import { WorkActions } from "../work/work-actions.tsx";
import { toWork } from "../work/work.ts";
import { Choices } from "./choices.tsx";
import { Hosts } from "./hosts.tsx";
import { Mapping } from "./mapping.tsx";
import { Problems } from "./problems.tsx";
import { useChoices } from "./use-choices.ts";

/** What a file has, what of it will be imported, and what can be chosen. Nothing is imported yet. */
export function Preview({ current }: { current: Import }) {
  const choices = useChoices(current);
  const start = useStartImport(current.id);
  const { chosen, change, isChecked } = choices;
  const own = texts.importing.preview;
  const hasUrl = Object.values(chosen.mapping).includes("url");
  return (
    <>
      <Problems current={chosen} isChecked={isChecked} />
      <Mapping current={chosen} onChange={(mapping) => change({ mapping })} />
      {chosen.hosts.length > 0 && <Hosts current={chosen} onChange={(domains) => change({ domains })} />}
      <Choices current={chosen} onChange={change} />
      {choices.error !== null && (
        <Notice
          kind="bad"
          title={own.notSaved}
          className="mb-4"
          action={
            <Button size="small" onClick={choices.retry}>
              {texts.ui.retry}
            </Button>
          }
        >
          <p>{explainStart(choices.error, MAX_JOBS_PER_WINDOW)}</p>
        </Notice>
      )}
      {start.error !== null && (
        <Notice kind="bad" title={explainStart(start.error, MAX_JOBS_PER_WINDOW)} className="mb-4" />
      )}
      <div className="sticky bottom-16 z-10 flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-raised px-5 py-3 shadow-float lg:bottom-4">
        <p className="min-w-0 flex-1 basis-56 text-sm" role="status">
          {stateOf(choices, chosen, hasUrl)}
        </p>
        <div className="flex flex-wrap gap-2">
          <WorkActions work={toWork(current)} size="medium" />
          <Button kind="primary" disabled={!hasUrl || !isChecked} busy={start.isPending} onClick={() => start.mutate()}>
            {own.start}
          </Button>
        </div>
      </div>
    </>
  );
}

function stateOf({ isChecked, isSaving, waitSeconds }: ReturnType<typeof useChoices>, chosen: Import, hasUrl: boolean) {
  const own = texts.importing.preview;
  if (waitSeconds !== null) return own.limited(waitSeconds);
  if (!hasUrl) return own.needsUrl;
  if (isSaving) return own.saving;
  const { created, skipped, failed } = chosen.expected;
  return isChecked ? own.about(created, skipped, failed) : own.checking;
}
