import { ImagePlus, Trash2 } from "lucide-react";
import { useRef, useState, type ChangeEvent } from "react";
import { MAX_QR_LOGO_BYTES } from "#src/qr/limits.ts";
import type { Because } from "#src/platform/http/fault-codes.ts";
import { logoError } from "#src/qr/logo.ts";
import { reasonInWords } from "#dashboard/api/client.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button, IconButton } from "#dashboard/ui/button.tsx";
import { Field } from "#dashboard/ui/field.tsx";

const words = texts.qr;

/** The logo, a file that the API takes. */
export function LogoField({ logo, onChange }: { logo: string | null; onChange: (logo: string | null) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (file === undefined) return;
    const uri = await toDataUri(file);
    const because = logoError(uri);
    if (because === null) onChange(uri);
    setProblem(because === null ? null : await explainLogo(because));
  };
  return (
    <Field label={words.logo} hint={words.logoHint(MAX_QR_LOGO_BYTES / 1_024)} error={problem}>
      {(control) => (
        <div className="flex items-center gap-2">
          {logo !== null && (
            <img src={logo} alt="" className="size-10 rounded-control border border-line object-contain" />
          )}
          <input
            {...control}
            ref={field}
            type="file"
            accept="image/png,image/jpeg"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => void choose(event)}
          />
          <Button onClick={() => field.current?.click()}>
            <ImagePlus size={18} aria-hidden />
            {logo === null ? words.logoChoose : words.logoReplace}
          </Button>
          {logo !== null && (
            <IconButton
              label={words.logoRemove}
              icon={<Trash2 size={18} aria-hidden />}
              onClick={() => {
                setProblem(null);
                onChange(null);
              }}
            />
          )}
        </div>
      )}
    </Field>
  );
}

async function explainLogo(because: Because): Promise<string> {
  const reason = await reasonInWords(because);
  return reason === null ? texts.errors.notLoaded : words.logoProblem(reason);
}

function toDataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read.")));
    reader.readAsDataURL(file);
  });
}
