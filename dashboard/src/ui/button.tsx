import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/class-names.ts";
import { tooltip } from "./tooltip.tsx";

const KINDS = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "bg-surface text-ink border border-control/60 hover:border-control hover:bg-sunken",
  quiet: "text-ink hover:bg-sunken",
  /** Ends something that can be had again, or asks before something is destroyed. */
  caution: "bg-surface text-bad border border-bad hover:bg-bad-wash",
  /** Destroys something. */
  danger: "bg-bad text-on-bad hover:opacity-90",
} as const;

const SIZES = {
  small: "h-8 px-2.5 text-sm gap-1.5",
  medium: "h-10 px-4 gap-2",
  large: "h-12 px-6 text-base gap-2",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  kind?: keyof typeof KINDS;
  size?: keyof typeof SIZES;
  /** Shows that the action is running, and ignores further clicks. */
  busy?: boolean;
  /** Renders the only child, such as a link, as the button. */
  asChild?: boolean;
}

export function Button({
  kind = "secondary",
  size = "medium",
  busy = false,
  asChild,
  className,
  ...props
}: ButtonProps) {
  const Component = asChild ? Slot.Root : "button";
  return (
    <Component
      type={asChild ? undefined : "button"}
      aria-busy={busy || undefined}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-control font-semibold whitespace-nowrap transition-colors select-none",
        "disabled:opacity-50 aria-busy:animate-pulse-soft",
        KINDS[kind],
        SIZES[size],
        className,
      )}
      {...props}
      onClick={busy ? (event) => event.preventDefault() : props.onClick}
    />
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** Said by screen readers and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  /** The keys of a shortcut, for the tooltip. */
  keys?: string;
  kind?: keyof typeof KINDS;
  size?: "small" | "medium";
}

export function IconButton({
  label,
  icon,
  keys,
  kind = "quiet",
  size = "medium",
  className,
  ...props
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-control transition-colors disabled:opacity-50",
        size === "small" ? "size-8" : "size-10",
        KINDS[kind],
        className,
      )}
      {...tooltip(label, keys)}
      {...props}
    >
      {icon}
    </button>
  );
}
