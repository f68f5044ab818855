import { Component, Suspense, type ReactNode } from "react";
import { PartError } from "../lib/lazy-part.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "./notice.tsx";
import { showToast } from "./toast.tsx";

interface LazyDialogsProps {
  /** Closes them. */
  onFail: () => void;
  children: ReactNode;
}

/** Dialogs of {@link lazyPart}. If one of them fails, it closes with a message, and the page behind it stays. */
export class LazyDialogs extends Component<LazyDialogsProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartError) error.forget();
    this.props.onFail();
    this.setState({ hasFailed: false });
    showToast({
      kind: "problem",
      title: explainError(error),
      action: { label: texts.ui.reload, run: () => location.reload() },
    });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : <Suspense>{this.props.children}</Suspense>;
  }
}
