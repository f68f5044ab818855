import type { ui as english } from "../en/ui.ts";

export const ui: typeof english = {
  cancel: "Abbrechen",
  close: "Schließen",
  copied: "Kopiert",
  copy: "Kopieren",
  copyRefused: "Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Text und drücken Sie Strg+C.",
  hidePassword: "Passwort verbergen",
  loading: "Wird geladen",
  notDownloaded: "Die Datei wurde nicht heruntergeladen",
  notifications: "Benachrichtigungen",
  reload: "Seite neu laden",
  remove: (name) => `${name} entfernen`,
  retry: "Erneut versuchen",
  save: "Speichern",
  showPassword: "Passwort anzeigen",
  undo: "Rückgängig",
};
