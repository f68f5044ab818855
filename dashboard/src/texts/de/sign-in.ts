import { MAX_USER_PASSWORD_CHARS, MIN_USER_PASSWORD_CHARS } from "#src/identity/people/limits.ts";
import { MAX_MAILS_PER_KIND } from "#src/platform/mail/limits.ts";
import { formatCount } from "../../lib/format.ts";
import type { signIn as english } from "../en/sign-in.ts";

export const signIn: typeof english = {
  address: "E-Mail-Adresse",
  addressMissing: "Geben Sie Ihre Adresse ein.",
  claim: {
    action: "Installation übernehmen",
    claimed: "Diese Installation hat schon einen Besitzer",
    code: "Einrichtungscode",
    codeHint:
      "Das Deployment hat ihn ausgegeben. Ist er verloren, erzeugt dies einen neuen: npm run account -- setup-code --remote",
    codeMissing: "Geben Sie den Einrichtungscode ein.",
    done: "Diese Installation gehört Ihnen",
    doneText: "Fügen Sie jetzt einen Passkey oder eine Authenticator-App hinzu: Die Betreiberkonsole verlangt das.",
    host: (url: string) => `Meine Kurzlinks beginnen mit ${url}`,
    hostHint:
      "Gedruckte Links brauchen diese Adresse dauerhaft, und Passkeys gelten nur hier. Für eine andere Adresse führen Sie das Deployment zuerst mit --url aus.",
    hostMissing: "Bestätigen Sie die Adresse Ihrer Kurzlinks.",
    lead: "Wer den Einrichtungscode hat, wird Besitzer und Betreiber. Eine E-Mail ist nicht nötig.",
    title: "Diese Installation hat noch keinen Besitzer",
  },
  claimed: (count) =>
    count === 1
      ? "Der Link, den Sie vorher gekürzt haben, gehört jetzt Ihnen"
      : `${formatCount(count)} Links, die Sie vorher gekürzt haben, gehören jetzt Ihnen`,
  claimedText: (count) => (count === 1 ? "Er läuft nicht mehr ab." : "Sie laufen nicht mehr ab."),
  claimRefused: "Die Links, die Sie vorher gekürzt haben, bleiben vorerst, wie sie sind",
  checkingLink: "Der Link wird geprüft",
  codeMissing: "Geben Sie den Code ein.",
  deadLink: {
    title: "Dieser Link funktioniert nicht mehr",
    text: "Er wurde schon verwendet, ist abgelaufen oder durch eine neuere E-Mail ersetzt.",
  },
  ended: {
    title: "Ihre Sitzung ist beendet. Melden Sie sich an, um weiterzumachen, wo Sie waren.",
    draft: "Der Entwurf Ihres Links ist in diesem Browser aufbewahrt.",
  },
  missingToken: {
    title: "Öffnen Sie den Link in der E-Mail",
    text: "Diese Seite braucht den Link aus der E-Mail. Wenn Sie die Seite neu geladen haben, öffnen Sie den Link noch einmal.",
  },
  forApp: "Eine App wartet auf Ihre Antwort. Worum sie bittet, sehen Sie als Nächstes.",
  forgot: {
    action: "Link senden",
    back: "Zurück zur Anmeldung",
    lead: "Geben Sie Ihre Adresse ein. Wir senden einen Link, mit dem Sie ein neues Passwort festlegen.",
    link: "Passwort vergessen?",
    noMail:
      "Dieser Dienst sendet keine E-Mails. Bitten Sie einen Inhaber oder Admin Ihres Teams um einen Link für ein neues Passwort. Wenn Sie selbst Inhaber sind, fragen Sie den Betreiber des Dienstes.",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sent: (email) => `Wenn ${email} ein Konto hat, kommt gleich eine E-Mail mit einem Link. Der Link gilt eine Stunde.`,
    title: "Neues Passwort festlegen",
  },
  name: "Ihr Name",
  nameMissing: "Geben Sie Ihren Namen ein.",
  newPassword: {
    label: "Neues Passwort",
    checked: "Passwörter aus bekannten Datenlecks anderer Dienste werden auch abgelehnt.",
    common: "Kein häufiges Passwort",
    length: (length) =>
      length === 0
        ? `${MIN_USER_PASSWORD_CHARS} bis ${MAX_USER_PASSWORD_CHARS} Zeichen, zum Beispiel einige Wörter`
        : `${MIN_USER_PASSWORD_CHARS} bis ${MAX_USER_PASSWORD_CHARS} Zeichen (jetzt ${length})`,
    met: "erfüllt",
    notMet: "nicht erfüllt",
    own: "Nicht aus Ihrem Namen, Ihrer Adresse oder Wörtern dieses Dienstes",
  },
  noMail:
    "Dieser Dienst sendet keine E-Mails, deshalb brauchen Sie den Link einer Einladung. Fragen Sie einen Inhaber oder Admin eines Teams oder den Betreiber des Dienstes.",
  noSignIn:
    "Hier kann sich noch niemand anmelden: Der Dienst kennt seine eigene Adresse nicht. Sein Betreiber muss BASE_URL setzen.",
  or: "oder",
  outbox: {
    action: "Link der E-Mail öffnen",
    title: "Dieser Dienst läuft auf Ihrem Computer und sendet keine E-Mails",
    text: (subject) => `Er hätte „${subject}“ gesendet.`,
  },
  password: "Passwort",
  passwordMissing: "Geben Sie Ihr Passwort ein.",
  passkey: "Mit Passkey anmelden",
  resent: "Eine neue E-Mail ist unterwegs. Der Link der früheren funktioniert nicht mehr.",
  reset: {
    action: "Passwort festlegen",
    another: "Neuen Link senden",
    done: "Ihr Passwort ist festgelegt",
    doneText: "Alle Sitzungen sind beendet. Melden Sie sich mit dem neuen Passwort an.",
    lead: "Alle Browser, die angemeldet sind, müssen sich neu anmelden.",
    title: "Neues Passwort festlegen",
  },
  restore: {
    action: "Konto wiederherstellen",
    done: "Ihr Konto ist wieder da",
    lead: "Sie haben es vor weniger als 7 Tagen gelöscht. Wenn Sie es jetzt wiederherstellen, sind Ihre Links, Schlüssel und Teams wieder da, wie sie waren.",
    leave: "Abmelden und löschen lassen",
    title: "Dieses Konto ist gelöscht",
  },
  second: {
    again: "Das hat länger als fünf Minuten gedauert. Geben Sie Ihr Passwort noch einmal ein.",
    back: "Anderes Konto verwenden",
    code: "Code aus Ihrer Authenticator-App",
    codeHint: "Sechs Ziffern, die sich alle 30 Sekunden ändern.",
    lead: "Das Passwort stimmt. Weisen Sie jetzt nach, dass Sie es sind.",
    passkey: "Passkey verwenden",
    recovery: "Wiederherstellungscode",
    recoveryHint: "Einer der Codes, die Sie bei der Einrichtung aufbewahrt haben. Jeder gilt einmal.",
    recoveryUsed: "Sie haben sich mit einem Wiederherstellungscode angemeldet",
    recoveryUsedText:
      "Er funktioniert nicht mehr. Ersetzen Sie eine verlorene App oder einen verlorenen Passkey in den nächsten 10 Minuten.",
    settings: "Sicherheitseinstellungen",
    title: "Zweiter Schritt",
    toCode: "Stattdessen einen Code aus der App verwenden",
    toRecovery: "Nichts davon zur Hand: Wiederherstellungscode verwenden",
  },
  signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
  goOn: "Weiter",
  signIn: {
    action: "Anmelden",
    newHere: "Neu hier?",
    title: "Anmelden",
  },
  linkSignIn: { title: "Sie werden angemeldet", text: "Der Link aus dem Terminal wird geprüft." },
  signUp: {
    action: "Konto erstellen",
    check: {
      other: "Andere Adresse verwenden",
      resend: "Noch einmal senden",
      resendHint: `Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder lassen Sie sie noch einmal senden: höchstens ${MAX_MAILS_PER_KIND}-mal pro Stunde.`,
      text: (email) =>
        `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn in diesem Browser, und Sie sind dabei. Er gilt 24 Stunden.`,
      title: "Sehen Sie in Ihr Postfach",
    },
    closed: "Hier kann sich niemand registrieren: Der Betreiber dieses Dienstes erstellt alle Konten.",
    domains: "Registrieren können sich hier nur Adressen bestimmter Organisationen und Adressen mit Einladung.",
    has: "Schon ein Konto?",
    invited: "Registrieren kann sich hier nur, wer eingeladen ist. Nehmen Sie die Adresse, an die die Einladung ging.",
    lead: "In einer Minute haben Sie Ihren ersten Kurzlink.",
    link: "Konto erstellen",
    title: "Konto erstellen",
  },
  verify: {
    action: "Bestätigen und anmelden",
    elsewhere:
      "Sie haben sich in einem anderen Browser registriert. Legen Sie das Passwort hier fest, damit wir wissen, dass es Ihres ist.",
    pending: "Ihre Adresse wird bestätigt",
    title: "Adresse bestätigen",
  },
  confirmEmail: {
    done: "Ihre Adresse ist geändert",
    pending: "Ihre Adresse wird geändert",
    settings: "Zu meiner Adresse",
    signIn: "Anmelden, um fortzufahren",
    signedOut: "Melden Sie sich mit Ihrer jetzigen Adresse an, um die neue zu bestätigen.",
    title: "Neue Adresse bestätigen",
    wrong: "Diese Änderung hat eine andere Person verlangt. Melden Sie sich als diese Person an.",
  },
  undoEmail: {
    action: "Adresse behalten",
    done: "Ihre Adresse ist wieder da",
    doneText:
      "Alle Sitzungen sind beendet. Wir haben an diese Adresse eine E-Mail mit einem Link gesendet, mit dem Sie ein neues Passwort festlegen.",
    lead: "Jemand möchte die Adresse Ihres Kontos ändern oder hat es schon getan. Wenn Sie das nicht waren, behalten Sie diese: Alle Sitzungen enden, das jetzige Passwort gilt nicht mehr, und Sie bekommen eine E-Mail, um ein neues festzulegen.",
    leave: "Das war ich: nichts ändern",
    title: "Ihre Adresse behalten?",
  },
  undoFactor: {
    action: "Entfernen",
    done: "Die zweiten Faktoren sind entfernt",
    doneText:
      "Alle Sitzungen sind beendet. Wir haben an diese Adresse eine E-Mail mit einem Link gesendet, mit dem Sie ein neues Passwort festlegen.",
    lead: "Jemand hat Ihrem Konto einen zweiten Faktor hinzugefügt oder neue Wiederherstellungscodes erzeugt. Wenn Sie das nicht waren, entfernen Sie ihn. Alles, was seitdem hinzugefügt wurde, wird entfernt, alle Sitzungen enden, Ihr Passwort gilt nicht mehr, und Sie bekommen eine E-Mail, um ein neues festzulegen.",
    leave: "Das war ich: nichts ändern",
    title: "Hinzugefügtes entfernen?",
  },
  invitation: {
    accept: "Team beitreten",
    accepted: (team) => `Sie sind Mitglied von ${team}`,
    decline: "Ablehnen",
    declined: "Die Einladung ist abgelehnt",
    declinedText: "Das sehen nur die Inhaber und Admins des Teams.",
    anyTitle: "Einem Team beitreten",
    hasAccount: "Diese Adresse hat schon ein Konto.",
    lead: (inviter, team, role) => `${inviter} lädt Sie zu ${team} ein. Ihre Rolle: ${role}.`,
    meaning: "Mitglieder eines Teams teilen Links, Domains und Statistik. An Ihrem eigenen Konto ändert sich nichts.",
    operator: "Der Betreiber dieses Dienstes",
    signedOut: (email) => `Melden Sie sich als ${email} an, oder erstellen Sie ein Konto mit dieser Adresse.`,
    signUp: "Konto erstellen und beitreten",
    signUpLead: "Die Einladung hat Ihre Adresse bestätigt, Sie sind also sofort dabei.",
    signIn: "Anmelden",
    switch: "Mit anderer Adresse anmelden",
    title: (team) => `${team} beitreten`,
    wrongAddress: (email) =>
      `Diese Einladung ist für eine andere Adresse als ${email}. Melden Sie sich mit der Adresse an, an die die E-Mail ging, oder bitten Sie das Team, ${email} einzuladen.`,
  },
};
