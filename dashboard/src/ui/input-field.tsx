import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps, type ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import { Field, Input } from "./field.tsx";

interface InputFieldProps extends Omit<ComponentProps<typeof Input>, "onChange" | "value"> {
  label: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ReactNode;
  error?: ReactNode;
  aside?: ReactNode;
}

/** A line of text with its label, hint and error. */
export function InputField({ label, hint, error, aside, value, onValue, className, ...props }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside} {...(className !== undefined && { className })}>
      {(control) => <Input {...control} {...props} value={value} onChange={(event) => onValue(event.target.value)} />}
    </Field>
  );
}

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
}: InputFieldProps) {
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
