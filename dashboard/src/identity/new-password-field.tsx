import { useQuery } from "@tanstack/react-query";
import { Check, Circle } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { texts } from "../texts/index.ts";
import { PasswordField } from "../ui/password-field.tsx";
import { because } from "#src/platform/http/fault-codes.ts";
import { MAX_USER_PASSWORD_CHARS, MIN_USER_PASSWORD_CHARS } from "#src/identity/people/limits.ts";

interface Owner {
  name?: string;
  email?: string;
  accounts?: readonly string[];
}

const NOBODY: Owner = {};

interface NewPasswordFieldProps {
  value: string;
  onValue: (value: string) => void;
  error?: ReactNode;
  /** The person, whose own words a password must not be made of. */
  owner?: Owner;
  label?: string;
}

/** A new password with the rules that the service checks, and which of them it keeps. */
export function NewPasswordField({ owner = NOBODY, label, ...props }: NewPasswordFieldProps) {
  const { newPassword } = texts.signIn;
  const id = useId();
  const length = Array.from(props.value.normalize("NFKC")).length;
  const weakness = useWeakness(props.value, owner);
  const hasLength = length >= MIN_USER_PASSWORD_CHARS && length <= MAX_USER_PASSWORD_CHARS;
  const isJudged = hasLength && weakness !== undefined;
  return (
    <div>
      <PasswordField
        {...props}
        label={label ?? newPassword.label}
        autoComplete="new-password"
        aria-describedby={`${id}-rules`}
      />
      <ul id={`${id}-rules`} className="mt-2.5 grid gap-1 text-sm text-soft">
        <Rule met={hasLength}>{newPassword.length(length)}</Rule>
        <Rule met={isJudged && weakness !== "common"}>{newPassword.common}</Rule>
        <Rule met={isJudged && weakness === null}>{newPassword.own}</Rule>
      </ul>
      <p className="mt-1.5 text-sm text-soft">{newPassword.checked}</p>
    </div>
  );
}

function Rule({ met, children }: { met: boolean; children: ReactNode }) {
  const { newPassword } = texts.signIn;
  return (
    <li className={cx("flex items-start gap-2", met && "text-good")}>
      {met ? (
        <Check size={16} className="mt-0.5 shrink-0" aria-hidden />
      ) : (
        <Circle size={16} className="mt-0.5 shrink-0 scale-60" aria-hidden />
      )}
      <span>
        {children}
        <span className="sr-only">{` (${met ? newPassword.met : newPassword.notMet})`}</span>
      </span>
    </li>
  );
}

/** What the service's own check says. The list of common passwords is loaded with the first character. */
function useWeakness(
  password: string,
  { name = "", email = "", accounts = [] }: Owner,
): "common" | "own" | null | undefined {
  const { data: weaknessOf } = useQuery({
    queryKey: ["password-check"],
    queryFn: async () => (await import("#src/identity/people/password-strength/strength.ts")).weaknessOf,
    enabled: password !== "",
    staleTime: Infinity,
  });
  const weakness = weaknessOf?.(password, { name, email, accounts, baseUrl: location.origin });
  if (weakness === undefined || weakness === null) return weakness;
  return weakness === because("common_password") ? "common" : "own";
}
