import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { cleanDomainName } from "#src/platform/lib/domain-names.ts";
import type { Domain } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { Checkbox, InputField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { addDomain, updateDomain } from "./queries.ts";
import { MAX_DOMAIN_INPUT_CHARS } from "#src/domains/limits.ts";

/** Adds a domain, and opens the page with its DNS records. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { create, form, settings, caseSetting, added } = texts.domains;
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [rootUrl, setRootUrl] = useState("");
  const [notFoundUrl, setNotFoundUrl] = useState("");
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [domain, setDomain] = useState<Domain | null>(null);
  const add = useMutation({
    mutationFn: async () => {
      // After an error of the second call, the domain is there already.
      const created = domain ?? (await addDomain(name, caseSensitive));
      setDomain(created);
      const urls = {
        ...(rootUrl.trim() !== "" && { rootUrl: rootUrl.trim() }),
        ...(notFoundUrl.trim() !== "" && { notFoundUrl: notFoundUrl.trim() }),
      };
      if (Object.keys(urls).length > 0) await updateDomain(created.id, urls);
      return created;
    },
    onSuccess: ({ id, unicodeDomain }) => {
      showChange(added(unicodeDomain));
      void navigate({ to: "/settings/$section/$id", params: { section: "domains", id } });
    },
  });
  const domainError = fieldError(add.error, "domain");
  return (
    <FormDialog
      onClose={onClose}
      title={create}
      action={create}
      save={add}
      error={domainError === undefined ? add.error : null}
    >
      <InputField
        label={form.domain}
        hint={form.domainHint}
        error={domainError}
        required
        autoFocus="always"
        autoComplete="off"
        autoCapitalize="none"
        inputMode="url"
        maxLength={MAX_DOMAIN_INPUT_CHARS}
        placeholder="go.example.com"
        readOnly={domain !== null}
        value={domain?.unicodeDomain ?? name}
        onValue={setName}
      />
      <details className="group rounded-control border border-line px-4 py-3">
        <summary className="font-semibold">{form.more}</summary>
        <div className="mt-4 grid gap-4">
          <UrlField
            label={settings.root}
            hint={settings.rootHint(domain?.unicodeDomain ?? (cleanDomainName(name) || "go.example.com"))}
            error={fieldError(add.error, "rootUrl")}
            value={rootUrl}
            onChange={setRootUrl}
          />
          <UrlField
            label={settings.notFound}
            hint={settings.notFoundHint}
            error={fieldError(add.error, "notFoundUrl")}
            value={notFoundUrl}
            onChange={setNotFoundUrl}
          />
          <Checkbox
            label={caseSetting.label}
            hint={caseSetting.hint}
            disabled={domain !== null}
            checked={caseSensitive}
            onChange={(event) => setCaseSensitive(event.target.checked)}
          />
        </div>
      </details>
    </FormDialog>
  );
}

interface UrlFieldProps {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (url: string) => void;
  disabled?: boolean;
}

export function UrlField({ label, hint, error, value, onChange, disabled = false }: UrlFieldProps) {
  return (
    <InputField
      label={label}
      hint={hint}
      error={error}
      inputMode="url"
      autoComplete="off"
      placeholder="https://"
      disabled={disabled}
      value={value}
      onValue={onChange}
    />
  );
}
