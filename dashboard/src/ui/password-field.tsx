import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { Field, Input, type InputField } from "./field.tsx";

/** A password, which can be shown while it is typed. */
export function PasswordField({
  label,
  hint,
  error,
  aside,
  value,
  onValue,
  "aria-describedby": rules,
  ...props
}: ComponentProps<typeof InputField>) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            {...props}
            aria-describedby={[control["aria-describedby"], rules].filter(Boolean).join(" ") || undefined}
            type={shown ? "text" : "password"}
            spellCheck={false}
            autoCapitalize="off"
            className="pe-11"
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
          <span className="absolute inset-y-0 inset-e-1 flex items-center">
            <IconButton
              label={shown ? texts.ui.hidePassword : texts.ui.showPassword}
              aria-pressed={shown}
              icon={shown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
              size="small"
              onClick={() => setShown(!shown)}
            />
          </span>
        </div>
      )}
    </Field>
  );
}
