import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { Dialog } from "#dashboard/ui/dialog.tsx";
import { CodeBlock } from "../code-block.tsx";

/** A link to hand over, and for what. */
export interface HandedLink {
  kind: "invitation" | "reset";
  /** For whom: an address or a name. */
  person: string;
  link: string;
}

/** Shows a link for the only time, where the service sends no mails. */
export function LinkDialog({ handed: { kind, person, link }, onClose }: { handed: HandedLink; onClose: () => void }) {
  const { title, label, explain } = texts.team.handOver;
  return (
    <Dialog
      closesOutside={false}
      onClose={onClose}
      title={title(person)}
      description={explain[kind]}
      footer={
        <Button kind="primary" onClick={onClose}>
          {texts.keys.secret.done}
        </Button>
      }
    >
      <CodeBlock label={label} text={link} />
    </Dialog>
  );
}
