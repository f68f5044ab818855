import type { team as english } from "../en/team.ts";

export const team: typeof english = {
  lead: "Wer in diesem Konto arbeitet und was jede Person darf.",
  personalLead:
    "Ein Team ist ein Konto, das sich mehrere Personen teilen, mit eigenen Links, Domains, Schlüsseln und Limits.",
  create: {
    title: "Team erstellen",
    label: "Name des Teams",
    action: "Team erstellen",
    done: (name) => `Team „${name}“ erstellt. Sie handeln jetzt für dieses Team.`,
    limit: (limit) => `Eine Person kann ${limit} Teams besitzen.`,
  },
  yours: "Ihre Teams",
  actFor: (name) => `Zu ${name} wechseln`,
  deleted: {
    title: "Gelöschte Teams",
    until: (day) => `Kann bis ${day} wiederhergestellt werden`,
    restore: "Wiederherstellen",
    done: (name) => `Team „${name}“ wiederhergestellt`,
  },
  members: {
    title: "Mitglieder",
    you: "Sie",
    role: (name) => `Rolle von ${name}`,
    joined: (day) => `Beigetreten ${day}`,
    remove: "Entfernen",
    leave: "Team verlassen",
    changed: (name, role) => `${name} hat jetzt die Rolle ${role}`,
    ownerOnly: "Nur Inhaber können Inhaber ändern.",
  },
  removal: {
    title: (name) => `${name} aus dem Team entfernen?`,
    text: "Der Zugriff endet mit der nächsten Anfrage, und Einladungen, die die Person gesendet hat, enden auch. Um das rückgängig zu machen, laden Sie die Person wieder ein.",
    action: "Entfernen",
    done: (name) => `${name} ist kein Mitglied mehr`,
    keysTitle: (name) => `${name} kennt diese API-Schlüssel, die weiter funktionieren`,
    keysText:
      "Diese Schlüssel können keine Schlüssel mehr erstellen. Widerrufen Sie sie, wenn nichts sie mehr verwendet.",
    keys: "API-Schlüssel öffnen",
  },
  demotion: {
    title: (name, role) => `${name} die Rolle ${role} geben?`,
    text: "Die neue Rolle erlaubt nicht alles, was diese Person im Team angelegt hat.",
    action: "Rolle ändern",
  },
  access: {
    title: (name) => `Das hat ${name} angelegt, und es läuft ohne diese Person weiter`,
    own: "Das haben Sie angelegt, und es endet mit Ihrer Rolle",
    kinds: { keys: "API-Schlüssel", webhooks: "Webhooks", listeners: "Listener", sharedPages: "Geteilte Seiten" },
    listener: (number) => `Listener ${number}`,
    untitled: "Seite ohne Titel",
    end: "Alles davon beenden",
    endHint:
      "Programme mit diesen Schlüsseln stehen still, Webhooks senden nichts mehr, und geteilte Seiten schließen. Das lässt sich nicht rückgängig machen.",
  },
  leaving: {
    title: (team) => `${team} verlassen?`,
    text: "Sie verlieren sofort den Zugriff. Um zurückzukommen, muss Sie jemand wieder einladen.",
    action: "Team verlassen",
    done: (team) => `Sie haben ${team} verlassen`,
  },
  handOver: {
    title: (person) => `Geben Sie diesen Link an ${person} weiter`,
    label: "Link",
    explain: {
      invitation:
        "Er wird nicht noch einmal angezeigt. Wer ihn öffnet, tritt als diese Person bei. Senden Sie ihn deshalb so, dass nur sie ihn liest. Er gilt einmal, 7 Tage lang.",
      reset:
        "Er wird nicht noch einmal angezeigt. Wer ihn öffnet, legt das Passwort dieser Person fest. Senden Sie ihn deshalb so, dass nur sie ihn liest. Er gilt einmal, eine Stunde lang.",
    },
  },
  reset: {
    open: "Neues Passwort",
    title: (name) => `Einen Link für ein neues Passwort von ${name} erstellen?`,
    text: "Stellen Sie sicher, dass diese Person darum bittet. Der Link öffnet alles, was die Person hat, auch ihr eigenes Konto. Nach zweiten Faktoren wird weiterhin gefragt. Die Person erfährt davon, und das Audit-Log hält es fest.",
    action: "Link erstellen",
  },
  invitations: {
    title: "Einladungen",
    lead: "Eine Einladung ist eine E-Mail mit einem Link, der einmal, 7 Tage lang und nur für diese Adresse gilt.",
    leadWithoutMail:
      "Dieser Dienst sendet keine E-Mails: Sie bekommen einen Link und geben ihn weiter. Er gilt einmal, 7 Tage lang und nur für diese Adresse. Laden Sie mit Rollen unter Ihrer eigenen ein.",
    email: "E-Mail-Adresse",
    role: "Rolle",
    action: "Einladen",
    sent: (email) => `Einladung an ${email} gesendet`,
    revoke: "Zurückziehen",
    revoked: (email) => `Einladung von ${email} zurückgezogen`,
    again: "Erneut einladen",
    none: "Keine Einladung ist offen.",
    expires: (when) => `Endet ${when}`,
    as: (role) => `als ${role}`,
    pending: (used, limit) => `${used} von höchstens ${limit} offen`,
  },
  roles: {
    title: "Was die Rollen dürfen",
    may: "Darf",
    yes: "ja",
    no: "nein",
    abilities: {
      read: "Links, Klicks, Domains und QR-Codes sehen",
      links: "Links erstellen und ändern, importieren, exportieren",
      manage: "Domains, Webhooks, Schlüssel, Mitglieder, Audit-Log",
      own: "Name, Standardwerte, Inhaber, zweiter Faktor, Export aller Daten, Löschung",
    },
  },
  mfa: {
    title: "Zweiter Faktor",
    label: "Mitglieder brauchen einen zweiten Faktor",
    hint: "Mitglieder ohne Authenticator-App oder Passkey können das Team erst öffnen, wenn sie etwas davon hinzufügen. API-Schlüssel funktionieren weiter. Um das einzuschalten, brauchen Sie selbst einen zweiten Faktor.",
    on: "Ein zweiter Faktor ist jetzt nötig",
    off: "Ein zweiter Faktor ist nicht mehr nötig",
  },
  transfer: {
    title: "Team übergeben",
    text: "Ein anderes Mitglied wird Inhaber, und Sie werden Admin.",
    member: "Neuer Inhaber",
    choose: "Mitglied wählen",
    action: "Übergeben",
    nobody: "Noch ist niemand anderes im Team.",
    confirmTitle: (name) => `${name} zum Inhaber machen?`,
    confirmText: "Sie werden Admin. Nur der neue Inhaber kann das Team zurückgeben.",
    done: (name) => `${name} ist jetzt Inhaber des Teams`,
  },
  deletion: {
    title: "Team löschen",
    text: "Schlüssel und Webhooks enden sofort, Links nach höchstens einer Minute. 7 Tage lang lässt es sich wiederherstellen, danach ist es endgültig gelöscht.",
    action: "Team löschen",
    confirmTitle: (name) => `${name} löschen?`,
    confirm: (name) => `Zum Bestätigen den Namen des Teams eingeben: ${name}`,
    done: (name) => `Team „${name}“ gelöscht`,
  },
};
