import { FileUp } from "lucide-react";
import { useRef, useState, type ChangeEvent, type DragEvent } from "react";
import { cx } from "#dashboard/lib/class-names.ts";
import { formatMegabytes } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { MAX_IMPORT_FILE_BYTES, MAX_IMPORT_ROWS } from "#src/moving/imports/limits.ts";

/** Takes a file that is dropped, or chosen by the button. */
export function DropZone({ fault, onChoose }: { fault: string | null; onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { drop } = texts.importing;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onChoose([...event.dataTransfer.files]);
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(target.files ?? [])]);
    // The same file can be chosen again, after it was corrected.
    target.value = "";
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cx(
        "flex h-full flex-col items-center justify-center rounded-card border-2 border-dashed px-6 py-10 text-center transition-colors",
        isOver ? "border-accent bg-wash" : "border-control/60",
      )}
    >
      <FileUp size={28} className="text-accent" aria-hidden />
      <p className="mt-3 font-semibold max-md:hidden">{drop.title}</p>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
        aria-label={drop.label}
        className="hidden"
        onChange={onChange}
      />
      <Button kind="primary" className="mt-3" aria-describedby="drop-limits" onClick={() => input.current?.click()}>
        {drop.choose}
      </Button>
      <p id="drop-limits" className="mt-3 max-w-md text-sm text-soft">
        {drop.limits(formatMegabytes(MAX_IMPORT_FILE_BYTES), MAX_IMPORT_ROWS)}
      </p>
      {fault !== null && (
        <p role="alert" className="mt-3 font-semibold text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
