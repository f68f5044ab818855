import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Domain } from "#src/domains/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { SaveForm } from "../save-form.tsx";
import { UrlField } from "./add-dialog.tsx";
import { updateDomain } from "./queries.ts";

/** Where visitors go who open no link of the domain. */
export function UrlSettings({ domain, mayChange }: { domain: Domain; mayChange: boolean }) {
  const { title, lead, root, rootHint, notFound, notFoundHint, saved } = texts.domains.settings;
  const [rootUrl, setRootUrl] = useState(domain.rootUrl ?? "");
  const [notFoundUrl, setNotFoundUrl] = useState(domain.notFoundUrl ?? "");
  const isChanged = rootUrl.trim() !== (domain.rootUrl ?? "") || notFoundUrl.trim() !== (domain.notFoundUrl ?? "");
  const save = useMutation({
    mutationFn: async () => {
      await updateDomain(domain.id, { rootUrl: urlOf(rootUrl), notFoundUrl: urlOf(notFoundUrl) });
      showChange(saved, async () => {
        await updateDomain(domain.id, { rootUrl: domain.rootUrl, notFoundUrl: domain.notFoundUrl });
        setRootUrl(domain.rootUrl ?? "");
        setNotFoundUrl(domain.notFoundUrl ?? "");
      });
    },
  });
  const errors = [fieldError(save.error, "rootUrl"), fieldError(save.error, "notFoundUrl")] as const;
  return (
    <SaveForm
      title={title}
      lead={lead}
      save={save}
      error={errors.every((error) => error === undefined) ? save.error : null}
      isChanged={isChanged}
      maySave={mayChange}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <UrlField
          label={root}
          hint={rootHint(domain.unicodeDomain)}
          error={errors[0]}
          disabled={!mayChange}
          value={rootUrl}
          onChange={setRootUrl}
        />
        <UrlField
          label={notFound}
          hint={notFoundHint}
          error={errors[1]}
          disabled={!mayChange}
          value={notFoundUrl}
          onChange={setNotFoundUrl}
        />
      </div>
    </SaveForm>
  );
}

const urlOf = (text: string): string | null => (text.trim() === "" ? null : text.trim());
