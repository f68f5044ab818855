import { texts } from "#dashboard/texts/index.ts";
import { Checkbox, InputField, Segments } from "#dashboard/ui/field.tsx";
import type { FieldsProps } from "./draft.ts";
import { MAX_QR_SIZE_PX } from "#src/qr/limits.ts";
import { MIN_EXPORTED_QR_SIZE_PX } from "#src/moving/exports/limits.ts";

/** The format of a file of links, or of the images in a file of QR codes. */
export function FormatFields({ draft, faults, change }: FieldsProps) {
  const own = texts.exporting.form;
  const { formats } = own;
  return (
    <div className="mb-5 flex flex-wrap gap-x-8 gap-y-4">
      <div>
        <p className="mb-1.5 font-semibold" aria-hidden>
          {own.format}
        </p>
        {draft.kind === "links" ? (
          <Segments
            label={own.format}
            value={draft.linksFormat}
            options={[
              { value: "csv", label: formats.csv },
              { value: "json", label: formats.json },
            ]}
            onChange={(linksFormat) => change({ linksFormat })}
          />
        ) : (
          <Segments
            label={own.format}
            value={draft.imageFormat}
            options={[
              { value: "svg", label: formats.svg },
              { value: "png", label: formats.png },
            ]}
            onChange={(imageFormat) => change({ imageFormat })}
          />
        )}
      </div>
      {draft.kind === "qr" && <ImageFields draft={draft} faults={faults} change={change} />}
    </div>
  );
}

function ImageFields({ draft, faults, change }: FieldsProps) {
  const own = texts.exporting.form;
  return (
    <>
      <InputField
        label={own.size}
        hint={own.sizeHint(MIN_EXPORTED_QR_SIZE_PX, MAX_QR_SIZE_PX)}
        error={faults.size}
        className="w-56"
        type="number"
        inputMode="numeric"
        min={MIN_EXPORTED_QR_SIZE_PX}
        max={MAX_QR_SIZE_PX}
        value={draft.size}
        onValue={(value) => change({ size: value })}
      />
      <Checkbox
        className="basis-full"
        label={own.domainStyle}
        hint={own.domainStyleHint}
        checked={draft.domainStyle}
        onChange={({ target }) => change({ domainStyle: target.checked })}
      />
    </>
  );
}
