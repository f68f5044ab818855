import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { MAX_PASSWORD_CHARS } from "#src/limits.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button, IconButton } from "#dashboard/ui/button.tsx";
import { Field, Input } from "#dashboard/ui/field.tsx";
import { useLinkForm } from "./form.ts";
import { MIN_PASSWORD_CHARS } from "#src/links/limits.ts";

/** Without l, o, 0 and 1, which look like others. 32 characters, so 14 of them have 70 bits. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const MADE_UP_CHARS = 14;

export function PasswordGroup() {
  const { draft, change, errorAt, base } = useLinkForm();
  const [isShown, setShown] = useState(false);
  const words = texts.editor.password;
  const has = base?.hasPassword === true;
  if (draft.password === null)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{words.removed}</p>
        <Button size="small" onClick={() => change({ password: "" })}>
          {words.keep}
        </Button>
      </div>
    );
  const makeUp = () => {
    change({ password: randomPassword() });
    setShown(true);
  };
  const label = has ? words.new : words.label;
  return (
    <>
      {has && <p className="text-sm text-soft">{words.has}</p>}
      <Field label={label} hint={words.hint(MIN_PASSWORD_CHARS, MAX_PASSWORD_CHARS)} error={errorAt("password", label)}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              type={isShown ? "text" : "password"}
              // Not the person's own password.
              autoComplete="new-password"
              value={draft.password ?? ""}
              onChange={(event) => change({ password: event.target.value })}
            />
            <IconButton
              label={isShown ? words.hide : words.show}
              icon={isShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
              onClick={() => setShown(!isShown)}
            />
          </div>
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={makeUp}>
          {words.generate}
        </Button>
        {has && (
          <Button size="small" onClick={() => change({ password: null })}>
            {words.remove}
          </Button>
        )}
      </div>
    </>
  );
}

function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(MADE_UP_CHARS));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
