import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Card } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { useWorks } from "../queries.ts";
import { JobLimits } from "../work/job-limits.tsx";
import { ListSkeleton } from "../work/list-skeleton.tsx";
import { WorkRow } from "../work/work-row.tsx";
import { DropZone } from "./drop-zone.tsx";
import { ImportPage } from "./import-page.tsx";
import { SourceChooser } from "./source-chooser.tsx";
import { UploadState } from "./upload-state.tsx";
import { useUpload } from "./use-upload.ts";

/** One import if the address names it, else the place to upload a file and the list of imports. */
export function ImportTab() {
  const { id } = useSearch({ strict: false });
  return typeof id === "string" ? <ImportPage key={id} id={id} /> : <NewImport />;
}

function NewImport() {
  const navigate = useNavigate();
  const [source, setSource] = useState<Import["source"]>("auto");
  const upload = useUpload(source, (id) => {
    void navigate({ to: "/moving/$kind", params: { kind: "import" }, search: { id } });
  });
  return (
    <>
      <Card className="mb-8 grid gap-6 p-5 lg:grid-cols-2">
        <div className="min-w-0">
          <SourceChooser value={source} onChange={setSource} />
        </div>
        <div className="min-w-0">
          {upload.file === null ? (
            <DropZone fault={upload.fault} onChoose={(files) => upload.choose(files, texts.importing.drop.several)} />
          ) : (
            <UploadState upload={upload} file={upload.file} />
          )}
        </div>
      </Card>
      <ImportList />
    </>
  );
}

function ImportList() {
  const { works, error, retry } = useWorks();
  const imports = works?.filter(({ kind }) => kind === "import");
  const { list } = texts.importing;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-base font-bold">{list.title}</h2>
        {works !== undefined && <JobLimits works={works} />}
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={retry} className="mb-4" />}
      {imports === undefined && error === null && <ListSkeleton />}
      {imports?.length === 0 && <p className="text-soft">{list.empty}</p>}
      {imports !== undefined && imports.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">
            {imports.map((work) => (
              <WorkRow key={work.id} work={work} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
