import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Webhook } from "#src/webhooks/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { Field, Input, Segments } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { TagTokens } from "../../links/tag-tokens.tsx";
import { EventsField } from "./events-field.tsx";
import { LinksField } from "./links-field.tsx";
import { createWebhook, updateWebhook, type EventName } from "./queries.ts";
import { MAX_OUTBOUND_URL_CHARS } from "#src/outbound/limits.ts";
import { MAX_WEBHOOK_FILTER_ITEMS } from "#src/webhooks/limits.ts";

interface Props {
  /** The webhook to change; null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onCreated?: (webhook: Webhook) => void;
}

const DEFAULT_EVENTS: EventName[] = ["link.create", "link.update", "link.delete"];

/** Creates a webhook, or changes one. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const { create, form, saved } = texts.webhooks;
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<EventName[]>(webhook?.events ?? DEFAULT_EVENTS);
  const [linkIds, setLinkIds] = useState<string[]>(webhook?.linkIds ?? []);
  const [tags, setTags] = useState<string[]>(webhook?.tags ?? []);
  const [scope, setScope] = useState<"all" | "some">(linkIds.length + tags.length > 0 ? "some" : "all");
  const hasLinkEvents = events.some((event) => event.startsWith("link."));
  // Other events are about no link.
  const isLimited = scope === "some" && hasLinkEvents;
  const lacksFilter = isLimited && linkIds.length + tags.length === 0;
  const save = useMutation({
    mutationFn: async () => {
      const fields = {
        url: url.trim(),
        events,
        linkIds: isLimited && linkIds.length > 0 ? linkIds : null,
        tags: isLimited && tags.length > 0 ? tags : null,
      };
      if (webhook === null) {
        onCreated?.(await createWebhook(fields));
        return;
      }
      await updateWebhook(webhook.id, fields);
      const { id, url: formerUrl, events: formerEvents, linkIds: formerIds, tags: formerTags } = webhook;
      const former = { url: formerUrl, events: formerEvents, linkIds: formerIds, tags: formerTags };
      showChange(saved, () => updateWebhook(id, former));
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={webhook === null ? create : form.edit}
      action={webhook === null ? create : texts.ui.save}
      busy={save.isPending}
      disabled={events.length === 0 || lacksFilter}
      error={fieldError(save.error, "url") === undefined ? save.error : null}
      onSubmit={() => save.mutate()}
    >
      <Field label={form.url} hint={form.urlHint} error={fieldError(save.error, "url")}>
        {(control) => (
          <Input
            {...control}
            required
            autoFocus
            inputMode="url"
            autoComplete="off"
            maxLength={MAX_OUTBOUND_URL_CHARS}
            placeholder={form.urlPlaceholder}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <EventsField value={events} onChange={setEvents} error={fieldError(save.error, "events")} />
      {hasLinkEvents && (
        <div className="grid gap-3">
          <p className="font-semibold" aria-hidden>
            {form.filters}
          </p>
          <Segments
            label={form.filters}
            className="justify-self-start"
            value={scope}
            options={[
              { value: "all", label: form.all },
              { value: "some", label: form.some },
            ]}
            onChange={setScope}
          />
          {scope === "some" && (
            <>
              <TagTokens
                label={form.tags}
                hint={form.tagsHint(MAX_WEBHOOK_FILTER_ITEMS)}
                max={MAX_WEBHOOK_FILTER_ITEMS}
                values={tags}
                onChange={setTags}
                error={fieldError(save.error, "tags")}
              />
              <LinksField value={linkIds} onChange={setLinkIds} error={fieldError(save.error, "linkIds")} />
              {lacksFilter && <p className="text-sm text-soft">{form.needsFilter}</p>}
            </>
          )}
        </div>
      )}
    </FormDialog>
  );
}
