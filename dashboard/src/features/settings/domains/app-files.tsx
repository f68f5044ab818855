import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import { formatCount } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Field, Textarea } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { SaveForm } from "../save-form.tsx";
import { updateFiles } from "./queries.ts";
import { MAX_APP_ASSOCIATION_BYTES } from "#src/domains/limits.ts";

type Files = Pick<Domain, "appleAppSiteAssociation" | "assetLinks">;

const toText = (file: unknown): string => (file === null ? "" : JSON.stringify(file, null, 2));

/** The files by which a domain names the apps that may open its links. */
export function AppFiles({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const { title, lead, apple, android, hint, saved, limit } = texts.domains.files;
  const [appleText, setAppleText] = useState(toText(domain.appleAppSiteAssociation));
  const [androidText, setAndroidText] = useState(toText(domain.assetLinks));
  const appleFile = parseFile(appleText);
  const androidFile = parseFile(androidText);
  const save = useMutation({
    mutationFn: async () => {
      const files = { appleAppSiteAssociation: appleFile.value, assetLinks: androidFile.value } as Files;
      await updateFiles(domain.id, files);
      const { appleAppSiteAssociation, assetLinks } = domain;
      showChange(saved, async () => {
        await updateFiles(domain.id, { appleAppSiteAssociation, assetLinks });
        setAppleText(toText(appleAppSiteAssociation));
        setAndroidText(toText(assetLinks));
      });
    },
  });
  const isChanged =
    appleText.trim() !== toText(domain.appleAppSiteAssociation) || androidText.trim() !== toText(domain.assetLinks);
  const isValid = appleFile.fault === undefined && androidFile.fault === undefined;
  const address = (file: string) => hint(`https://${domain.unicodeDomain}/.well-known/${file}`);
  return (
    <SaveForm
      title={title}
      lead={`${lead} ${limit(formatCount(MAX_APP_ASSOCIATION_BYTES))}`}
      save={save}
      error={save.error}
      isChanged={isChanged}
      maySave={mayChange && isValid}
    >
      <FileField
        label={apple}
        hint={address("apple-app-site-association")}
        error={appleFile.fault ?? fieldError(save.error, "appleAppSiteAssociation")}
        example={toText(APPLE_EXAMPLE)}
        disabled={!mayChange}
        value={appleText}
        onChange={setAppleText}
      />
      <FileField
        label={android}
        hint={address("assetlinks.json")}
        error={androidFile.fault ?? fieldError(save.error, "assetLinks")}
        example={toText(ASSET_LINKS_EXAMPLE)}
        disabled={!mayChange}
        value={androidText}
        onChange={setAndroidText}
      />
    </SaveForm>
  );
}

interface FileFieldProps {
  label: string;
  hint: string;
  error: string | undefined;
  example: string;
  disabled: boolean;
  value: string;
  onChange: (text: string) => void;
}

function FileField({ label, hint, error, example, disabled, value, onChange }: FileFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      aside={
        value === "" &&
        !disabled && (
          <Button
            kind="quiet"
            size="small"
            aria-label={`${texts.domains.files.example}: ${label}`}
            onClick={() => onChange(example)}
          >
            {texts.domains.files.example}
          </Button>
        )
      }
    >
      {(control) => (
        <Textarea
          {...control}
          className="min-h-28 font-mono text-sm"
          rows={value === "" ? 3 : Math.min(value.split("\n").length + 1, 20)}
          spellCheck={false}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type Parsed = { value: unknown; fault?: never } | { value?: never; fault: string };

/** Reads a file; null: no file. */
function parseFile(text: string): Parsed {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: texts.domains.files.notJson(error instanceof Error ? error.message : "") };
  }
}

// What the two files look like, for people to fill in.

const APPLE_EXAMPLE = {
  applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/*" }] }] },
};

const ASSET_LINKS_EXAMPLE = [
  {
    relation: ["delegate_permission/common.handle_all_urls"],
    target: {
      namespace: "android_app",
      package_name: "com.example.app",
      sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "00").join(":")],
    },
  },
];
