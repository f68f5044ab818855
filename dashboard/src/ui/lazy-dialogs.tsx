import { Component, Suspense, useLayoutEffect, type ReactNode } from "react";
import { PartError } from "../lib/lazy-part.ts";
import { continueTypeAhead, endTypeAhead } from "../lib/type-ahead.ts";
import { openAnew } from "../lib/open-anew.ts";
import { texts } from "../texts/index.ts";
import { explainError } from "./notice.tsx";
import { Progress } from "./progress.tsx";
import { showToast } from "./toast.tsx";

interface LazyDialogsProps {
  /** Closes them, also while their code loads. */
  onFail: () => void;
  children: ReactNode;
}

interface LazyDialogsState {
  hasFailed: boolean;
  failures: number;
}

/** Dialogs of {@link lazyPart}. If one of them fails, it closes with a message, and the page behind it stays. */
export class LazyDialogs extends Component<LazyDialogsProps, LazyDialogsState> {
  override state = { hasFailed: false, failures: 0 };

  static getDerivedStateFromError(): Partial<LazyDialogsState> {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartError) error.forget();
    endTypeAhead();
    this.props.onFail();
    this.setState(({ failures }) => ({ hasFailed: false, failures: failures + 1 }));
    showToast({
      kind: "problem",
      title: explainError(error),
      action: { label: texts.ui.reload, run: () => void openAnew() },
    });
  }

  override render(): ReactNode {
    const { onFail, children } = this.props;
    const { hasFailed, failures } = this.state;
    if (hasFailed) return null;
    return (
      // After a failure, Preact keeps waiting in the same Suspense.
      <Suspense key={failures} fallback={<Opening onCancel={onFail} />}>
        {children}
      </Suspense>
    );
  }
}

/** The code of a dialog is loading. */
function Opening({ onCancel }: { onCancel: () => void }) {
  // oxlint-disable-next-line react/exhaustive-deps -- once, when the dialog begins to open
  useLayoutEffect(() => continueTypeAhead(onCancel), []);
  return <Progress />;
}
