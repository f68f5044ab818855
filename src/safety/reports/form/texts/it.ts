import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Segnalare un link breve",
  intro: "Segnali a chi gestisce questo servizio un link breve che danneggia altre persone. Non serve un account.",
  url: "Link breve",
  reason: "Qual è il problema?",
  choose: "Scelga un motivo",
  reasons: {
    phishing: "Imita un altro sito per ottenere password o denaro",
    malware: "Diffonde software dannoso",
    spam: "È stato inviato come spam",
    child_abuse: "Mostra abusi sessuali su minori",
    illegal: "È illegale per un altro motivo",
    other: "Altro",
  },
  details: "Che cosa ha visto? (facoltativo)",
  name: "Il suo nome (facoltativo)",
  email: "Il suo indirizzo e-mail, per eventuali domande (facoltativo)",
  contact:
    "Solo chi gestisce questo servizio vede la segnalazione. Viene cancellata dopo un anno. Le segnalazioni di abusi su minori sono conservate senza nome e indirizzo.",
  goodFaith: "Per quanto ne so, questa segnalazione è vera e completa.",
  submit: "Invia la segnalazione",
  invalid: "La segnalazione non è stata inviata. Corregga i campi qui sotto.",
  errors: {
    missing: "Questo dato manca.",
    too_long: "Questo testo è troppo lungo.",
    no_link: "Qui non esiste un link breve con questo indirizzo. Lo copi come lo ha ricevuto.",
    no_email: "Questo non è un indirizzo e-mail.",
    no_good_faith: "Per favore, lo confermi.",
  },
  failures: {
    rate_limited: "Dalla sua rete sono arrivate troppe segnalazioni. Non è stato inviato nulla. Riprovi tra {wait}.",
    unavailable: "Non è stato possibile salvare la segnalazione. La invii di nuovo tra un minuto.",
    cross_site: "Il modulo è stato inviato da un’altra pagina. Se vuole inviare questa segnalazione, la invii da qui.",
    full: "Troppe segnalazioni attendono una decisione, quindi questa non è stata salvata. Riprovi domani.",
    network_full:
      "Segnalazioni dalla sua rete attendono già una decisione, quindi questa non è stata salvata. Riprovi domani, o da un’altra rete.",
    payload_too_large: "Il modulo era troppo grande. Non è stato inviato nulla.",
  },
  receipt: {
    title: "La sua segnalazione",
    keep: "Conservi l’indirizzo di questa pagina. Qui vedrà la decisione.",
    sent: "Segnalato il {date}:",
    open: "Non è ancora stata presa una decisione.",
    dismissed: "Deciso il {date}: il link è stato controllato e resta com’è.",
    taken_down: "Deciso il {date}: il link è stato bloccato. Grazie.",
  },
  blocked: {
    title: "Questo link è già bloccato",
    text: "I visitatori non possono seguirlo. Grazie della segnalazione.",
  },
  enough: {
    title: "Questo link è già stato segnalato",
    text: "Si attende una decisione. Un’altra segnalazione non serve. Grazie.",
  },
  unknown: {
    title: "Questa segnalazione non esiste",
    text: "Controlli che l’indirizzo sia completo. Le segnalazioni sono cancellate un anno dopo l’invio.",
  },
};
