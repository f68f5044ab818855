import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "#dashboard/api/client.ts";
import type { Import, UpdateImport } from "#dashboard/api/types.ts";
import { updateImport } from "../queries.ts";

/** Changes of this time are sent together: each makes the service check all rows again. */
const TOGETHER_MS = 900;

/**
 * What a person chooses about an import. Changes show at once, and are saved together, also later after a limit. The service
 * checks the rows after that.
 */
export function useChoices(current: Import) {
  const [unsaved, setUnsaved] = useState<UpdateImport>({});
  const [sent, setSent] = useState<UpdateImport>({});
  const save = useMutation({ mutationFn: (changes: UpdateImport) => updateImport(current.id, changes) });
  const { isPending, error, mutate } = save;
  const isReady = current.status === "ready";
  const waitSeconds = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 60) : null;
  const hasFailed = error !== null && waitSeconds === null;

  // The rows were checked with what was sent.
  if (isReady && !isPending && isAny(sent)) setSent({});

  useEffect(() => {
    if (!isReady || isPending || hasFailed || !isAny(unsaved)) return undefined;
    const send = () => {
      setSent(unsaved);
      setUnsaved({});
      mutate(unsaved, {
        onError: () => {
          setSent({});
          setUnsaved((later) => merge(unsaved, later));
        },
      });
    };
    const timer = setTimeout(send, waitSeconds === null ? TOGETHER_MS : waitSeconds * 1_000);
    return () => clearTimeout(timer);
  }, [unsaved, isReady, isPending, hasFailed, waitSeconds, mutate]);

  const shown = merge(merge({}, sent), unsaved);
  return {
    /** The import as it is chosen now. */
    chosen: { ...current, ...shown, mapping: { ...current.mapping, ...shown.mapping } } as Import,
    change: (changes: UpdateImport) => {
      save.reset();
      setUnsaved((before) => merge(before, changes));
    },
    /** Whether the problems are those of what is chosen. */
    isChecked: isReady && !isPending && !isAny(unsaved) && !isAny(sent),
    isSaving: isPending || isAny(unsaved),
    waitSeconds: isAny(unsaved) ? waitSeconds : null,
    error: hasFailed ? error : null,
    retry: () => save.reset(),
  };
}

function isAny(changes: UpdateImport): boolean {
  return Object.keys(changes).length > 0;
}

function merge(before: UpdateImport, later: UpdateImport): UpdateImport {
  const mapping = { ...before.mapping, ...later.mapping };
  return { ...before, ...later, ...(isAny(mapping) && { mapping }) };
}
