import { CopyButton } from "../../ui/copy.tsx";

/** Text as it is typed or sent, with a button that copies it. */
export function CodeBlock({ label, text, copied = text }: { label: string; text: string; copied?: string }) {
  return (
    <figure className="mb-4">
      <figcaption className="mb-1 flex items-center justify-between gap-2">
        <span className="font-semibold">{label}</span>
        <CopyButton text={copied} />
      </figcaption>
      <pre
        role="region"
        aria-label={label}
        className="rounded-control bg-sunken p-3 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </figure>
  );
}
