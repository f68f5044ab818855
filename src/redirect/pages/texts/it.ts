import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "Questo link non esiste",
      text: "Controlli che l’indirizzo sia stato copiato per intero e scritto com’è stampato.",
    },
    not_started: {
      title: "Questo link non è ancora attivo",
      text: "Il proprietario ha stabilito da quando funziona. Riprovi più tardi.",
    },
    gone: {
      title: "Questo link non è più attivo",
      text: "Il proprietario lo ha chiuso, oppure era valido per un tempo o un numero di visite limitato. Ne chieda uno nuovo a chi lo ha condiviso.",
    },
    blocked: {
      title: "Questo link è bloccato",
      text: "Porta a qualcosa che questo servizio non consente. Se è suo, acceda per vedere il motivo.",
    },
    blocked_by_law: { title: "Questo link non è disponibile", text: "È stato bloccato a causa di un ordine legale." },
    method_not_allowed: {
      title: "Questo metodo non è consentito",
      text: "I link brevi si aprono con GET o HEAD.",
    },
    internal: {
      title: "Qualcosa è andato storto",
      text: "L’errore è nostro, non del link. Riprovi.",
    },
    unavailable: {
      title: "Al momento questo link non può essere cercato",
      text: "Il link non è perso. Riprovi tra qualche secondo.",
    },
    password_required: {
      title: "Questo link è protetto da una password",
      text: "Inserisca qui la password. La riceve da chi ha condiviso il link.",
    },
    wrong_password: {
      title: "Questa non è la password",
      text: "La controlli, comprese maiuscole e minuscole, e riprovi.",
    },
    rate_limited: { title: "Troppi tentativi", text: "Riprovi tra {wait}." },
    too_many_unknown: {
      title: "Troppi link sconosciuti",
      text: "Dalla sua rete sono stati richiesti troppi link che non esistono. Riprovi tra {wait}.",
    },
    no_password: { title: "Questo link non ha una password", text: "Accetta solo richieste GET e HEAD." },
    unsupported_media_type: {
      title: "Questo tipo di contenuto non è supportato",
      text: "Invii il campo password come application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "Il modulo non è arrivato per intero", text: "Lo invii di nuovo." },
    payload_too_large: {
      title: "È troppo lungo per una password",
      text: "Il modulo può avere al massimo {bytes} byte.",
    },
  },
  retrying: "Questa pagina riprova da sola.",
  root: {
    title: "Link brevi",
    text: "Questo dominio è per i link brevi. Apra il link completo che ha ricevuto.",
  },
  ownVisits: {
    title: "Visite con questo browser",
    counted: "Le visite ai link brevi su {host} con questo browser vengono contate.",
    uncounted:
      "Le visite ai link brevi su {host} con questo browser non vengono contate. Un cookie conserva questa scelta fino a 400 giorni.",
    leaveOut: "Non contarle",
    count: "Contarle",
  },
  password: { label: "Password", submit: "Continua", back: "Torna al link" },
  report: "Segnalare un abuso",
  app: {
    title: "Questo link apre un’app",
    text: "Può anche seguirlo nel browser.",
    open: "Apri nell’app",
    stay: "Continua nel browser",
  },
  destination: {
    title: "Dove porta questo link",
    hidden: "La destinazione è mostrata solo ai visitatori che hanno la password.",
    app: "Su questo dispositivo prova prima un’app:",
    ended: "Il proprietario ora manda lì i visitatori.",
    varies: "Altri visitatori possono essere mandati altrove, per esempio in base al paese o al dispositivo.",
    follow: "Continua",
    unicode: "Nella propria scrittura, {name} è {unicode}.",
  },
  verdict: {
    title: "Attenzione a questo link",
    pending: "Nessuno ha ancora controllato dove porta questo link. Guardi l’indirizzo prima di continuare.",
    phishing: "La pagina potrebbe imitarne un’altra per ottenere password o numeri di carta.",
    malware: "La pagina potrebbe installare programmi dannosi.",
    spam: "Il link è stato segnalato come spam.",
    lookalike: "L’indirizzo somiglia a quello di un altro sito. Lo legga lettera per lettera.",
    shortener: "È un altro link breve, quindi qui non si vede dove finisce.",
    other: "La pagina potrebbe violare le regole di questo servizio.",
    advisory: "Avviso fornito da Google",
    uncertain: "Un avviso può essere sbagliato, e alcune pagine dannose non ne hanno.",
  },
};
