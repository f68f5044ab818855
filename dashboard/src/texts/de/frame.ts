import type { frame as english } from "../en/frame.ts";

/** The texts of app.html, which are shown while the page is loading. */
export const frame: typeof english = {
  failed: "Die Seite konnte nicht geladen werden. Prüfen Sie Ihre Verbindung.",
  noScript: "Das Dashboard braucht JavaScript. Kurzlinks und die API funktionieren ohne.",
  slow: "Die Seite wird noch geladen. Ihre Verbindung ist langsam.",
};
