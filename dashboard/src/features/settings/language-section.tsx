import { useMutation } from "@tanstack/react-query";
import type { AppLanguage } from "#src/platform/languages.ts";
import { call } from "../../api/client.ts";
import { chooseLanguage, LANGUAGE_CHOICES } from "../../lib/language.ts";
import { useSession } from "../../session.ts";
import { language as words } from "../../texts/en/language.ts";
import { SelectField } from "../../ui/field.tsx";
import { Section } from "../../ui/layout.tsx";
import { explainError } from "../../ui/notice.tsx";

/** The person's language. Another one loads the page again. */
export function LanguageSection() {
  const { user } = useSession();
  const save = useMutation({
    mutationFn: (language: AppLanguage | null) => call("PATCH", "/api/auth/user", { body: { language } }),
    onSuccess: (_, language) => chooseLanguage(language),
  });
  return (
    <Section title={words.label}>
      <SelectField
        className="max-w-md"
        label={words.label}
        hideLabel
        hint={words.hint}
        error={save.error === null ? undefined : explainError(save.error)}
        disabled={save.isPending}
        value={(save.isPending ? save.variables : user.language) ?? ""}
        onValue={(value) => save.mutate((value || null) as AppLanguage | null)}
      >
        <option value="">{words.browser}</option>
        {LANGUAGE_CHOICES.map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </SelectField>
    </Section>
  );
}
