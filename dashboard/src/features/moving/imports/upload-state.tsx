import { MAX_UPLOADS_PER_WINDOW } from "#src/limits.ts";
import { ApiError } from "#dashboard/api/client.ts";
import { formatSize } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Notice } from "#dashboard/ui/notice.tsx";
import { explainStart } from "../work/explain.ts";
import { ProgressBar } from "../work/progress-bar.tsx";
import type { useUpload } from "./use-upload.ts";

/** How far the upload is, or why it failed. */
export function UploadState({ upload, file }: { upload: ReturnType<typeof useUpload>; file: File }) {
  const own = texts.importing.upload;
  if (upload.error !== null) {
    return (
      <Notice kind="bad" title={own.failed(file.name)}>
        <p>{explainStart(upload.error, MAX_UPLOADS_PER_WINDOW, texts.importing.upload.limited)}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          {mayWorkLater(upload.error) && (
            <Button size="small" kind="primary" onClick={upload.retry}>
              {texts.ui.retry}
            </Button>
          )}
          <Button size="small" onClick={upload.forget}>
            {own.other}
          </Button>
        </div>
      </Notice>
    );
  }
  const isSent = upload.sent >= file.size;
  return (
    <div className="rounded-card border border-line px-5 py-6">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 font-semibold break-words" role="status">
          {own.sending(file.name)}
        </p>
        <Button size="small" onClick={upload.cancel}>
          {own.cancel}
        </Button>
      </div>
      <ProgressBar label={own.sending(file.name)} {...(!isSent && { done: upload.sent, total: file.size })} />
      <p className="mt-2 text-sm text-soft tabular">
        {isSent ? own.storing : own.sent(formatSize(upload.sent), formatSize(file.size))}
      </p>
    </div>
  );
}

/** Whether the same file may be taken later. A file that is refused has to be another one. */
function mayWorkLater(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 409 || error.status === 429 || error.status >= 500)
  );
}
