import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { domainNamesQuery } from "../../api/resources.ts";
import type { Link } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { InputField, Options, Segments, SelectField } from "../../ui/field.tsx";
import type { Change } from "./changes.ts";
import { TagPicker } from "./tag-picker.tsx";

interface BulkDialogProps {
  /** The links that will change, such as "3 links". */
  what: string;
  /** Those that are loaded. */
  links: readonly Link[];
  onChange: (change: Change) => void;
  onClose: () => void;
}

export type BulkDialogKind = "tag" | "move" | "expire" | "delete";

/** Asks for what a bulk change needs. */
export function BulkDialog({ kind, ...props }: BulkDialogProps & { kind: BulkDialogKind }) {
  switch (kind) {
    case "tag":
      return <TagDialog {...props} />;
    case "move":
      return <MoveDialog {...props} />;
    case "expire":
      return <ExpireDialog {...props} />;
    case "delete":
    default:
      return <DeleteDialog {...props} />;
  }
}

function TagDialog({ what, onChange, onClose }: BulkDialogProps) {
  const [mode, setMode] = useState<"add" | "remove">("add");
  const [tags, setTags] = useState<string[]>([]);
  const { bulk } = texts.linkList;
  const change: Change = { kind: "tag", add: [], remove: [], [mode]: tags };
  return (
    <FormDialog
      size="small"
      title={bulk.tagTitle(what)}
      action={bulk[mode]}
      disabled={tags.length === 0}
      onSubmit={() => onChange(change)}
      onClose={onClose}
    >
      <Segments
        label={bulk.tagTitle(what)}
        value={mode}
        options={(["add", "remove"] as const).map((value) => ({ value, label: bulk[value] }))}
        onChange={setMode}
      />
      <TagPicker selected={tags} onChange={setTags} canCreate={mode === "add"} autoFocus />
    </FormDialog>
  );
}

function MoveDialog({ what, links, onChange, onClose }: BulkDialogProps) {
  const { data: domains = [], isPending } = useQuery(domainNamesQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const { bulk, filter } = texts.linkList;
  const others = domains.filter((domain) => !links.every((link) => link.domain === domain));
  const domain = chosen ?? others[0];
  return (
    <FormDialog
      size="small"
      title={bulk.moveTitle(what)}
      description={bulk.moveText}
      action={bulk.moveAction}
      disabled={domain === undefined}
      onSubmit={() => domain !== undefined && onChange({ kind: "move", domain })}
      onClose={onClose}
    >
      {others.length > 0 ? (
        <SelectField label={filter.domain} value={domain} onValue={setChosen}>
          <Options values={others} />
        </SelectField>
      ) : (
        !isPending && <p className="text-soft">{bulk.noDomains}</p>
      )}
    </FormDialog>
  );
}

function ExpireDialog({ what, onChange, onClose }: BulkDialogProps) {
  const [when, setWhen] = useState<"now" | "later" | "never">("later");
  const [time, setTime] = useState("");
  const { bulk } = texts.linkList;
  const submit = () => {
    const expiresAt = { now: Date.now(), later: new Date(time).getTime(), never: null }[when];
    onChange({ kind: "expire", expiresAt });
  };
  return (
    <FormDialog
      size="small"
      title={bulk.expireTitle(what)}
      action={bulk.expireAction}
      disabled={when === "later" && time === ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments
        label={bulk.expireTitle(what)}
        value={when}
        options={(["now", "later", "never"] as const).map((value) => ({ value, label: bulk[value] }))}
        onChange={setWhen}
      />
      {when === "later" && (
        <InputField label={bulk.time} type="datetime-local" required value={time} onValue={setTime} />
      )}
    </FormDialog>
  );
}

function DeleteDialog({ what, onChange, onClose }: BulkDialogProps) {
  const { bulk } = texts.linkList;
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title={bulk.deleteTitle(what)}
      description={bulk.deleteText}
      action={bulk.deleteAction(what)}
      onConfirm={() => onChange({ kind: "delete" })}
    />
  );
}
