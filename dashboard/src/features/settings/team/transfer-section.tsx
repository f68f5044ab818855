import { useState } from "react";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { SelectField } from "#dashboard/ui/field.tsx";
import { Section } from "#dashboard/ui/layout.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { transferTeam, useMembers } from "./queries.ts";

export function TransferSection({ teamId }: { teamId: string }) {
  const { title, text, member: label, choose, action, nobody, confirmTitle, confirmText, done } = texts.team.transfer;
  const { user } = useSession();
  const others = (useMembers(teamId).items ?? []).filter(({ userId }) => userId !== user.id);
  const [userId, setUserId] = useState("");
  const [isAsking, setAsking] = useState(false);
  const member = others.find((each) => each.userId === userId);
  return (
    <Section title={title} lead={others.length === 0 ? `${text} ${nobody}` : text}>
      {others.length > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          <SelectField label={label} className="min-w-0 flex-1 basis-60" value={userId} onValue={setUserId}>
            <option value="">{choose}</option>
            {others.map(({ userId: id, name, email }) => (
              <option key={id} value={id}>
                {name} ({email})
              </option>
            ))}
          </SelectField>
          <Button disabled={member === undefined} onClick={() => setAsking(true)}>
            {action}
          </Button>
        </div>
      )}
      {isAsking && member !== undefined && (
        <ConfirmDialog
          danger="ends"
          onClose={() => setAsking(false)}
          title={confirmTitle(member.name)}
          description={confirmText}
          action={action}
          onConfirm={async () => {
            await transferTeam(teamId, userId);
            setAsking(false);
            showChange(done(member.name));
          }}
        />
      )}
    </Section>
  );
}
