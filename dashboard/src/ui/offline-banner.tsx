import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { texts } from "../texts/index.ts";

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Tells while the browser has no network. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warn-wash px-4 py-2 text-sm text-warn">
          <WifiOff size={16} aria-hidden />
          {texts.shell.offline}
        </p>
      )}
    </div>
  );
}
