import type { ReportTexts } from "./report-texts.ts";

export const texts: ReportTexts = {
  title: "Signaler un lien court",
  intro:
    "Signalez aux responsables de ce service un lien court qui nuit à d’autres personnes. Vous n’avez pas besoin de compte.",
  url: "Lien court",
  reason: "Quel est le problème ?",
  choose: "Choisissez un motif",
  reasons: {
    phishing: "Il imite un autre site pour obtenir des mots de passe ou de l’argent",
    malware: "Il diffuse des logiciels malveillants",
    spam: "Il a été envoyé comme spam",
    child_abuse: "Il montre des abus sexuels sur des enfants",
    illegal: "Il est illégal pour une autre raison",
    other: "Autre chose",
  },
  details: "Qu’avez-vous vu ? (facultatif)",
  name: "Votre nom (facultatif)",
  email: "Votre adresse e-mail, en cas de questions (facultatif)",
  contact:
    "Seuls les responsables de ce service voient votre signalement. Il est supprimé au bout d’un an. Les signalements d’abus sur des enfants sont enregistrés sans nom ni adresse.",
  goodFaith: "À ma connaissance, ce signalement est exact et complet.",
  submit: "Envoyer le signalement",
  invalid: "Le signalement n’a pas été envoyé. Veuillez corriger les champs ci-dessous.",
  errors: {
    missing: "Cette information manque.",
    too_long: "Ce texte est trop long.",
    no_link: "Il n’y a pas ici de lien court avec cette adresse. Copiez-le tel que vous l’avez reçu.",
    no_email: "Ce n’est pas une adresse e-mail.",
    no_good_faith: "Veuillez confirmer ce point.",
  },
  failures: {
    rate_limited: "Trop de signalements sont venus de votre réseau. Rien n’a été envoyé. Réessayez dans {wait}.",
    unavailable: "Le signalement n’a pas pu être enregistré. Veuillez le renvoyer dans une minute.",
    cross_site:
      "Le formulaire a été envoyé depuis une autre page. Si vous voulez envoyer ce signalement, envoyez-le d’ici.",
    full: "Trop de signalements attendent une décision, celui-ci n’a donc pas été enregistré. Veuillez réessayer demain.",
    network_full:
      "Des signalements venus de votre réseau attendent déjà une décision, celui-ci n’a donc pas été enregistré. Veuillez réessayer demain, ou depuis un autre réseau.",
    payload_too_large: "Le formulaire était trop volumineux. Rien n’a été envoyé.",
  },
  receipt: {
    title: "Votre signalement",
    keep: "Conservez l’adresse de cette page. Vous y verrez la décision.",
    sent: "Signalé le {date} :",
    open: "Aucune décision n’a encore été prise.",
    dismissed: "Décision du {date} : le lien a été vérifié et reste tel quel.",
    taken_down: "Décision du {date} : le lien a été bloqué. Merci.",
  },
  blocked: {
    title: "Ce lien est déjà bloqué",
    text: "Les visiteurs ne peuvent pas le suivre. Merci pour votre signalement.",
  },
  enough: {
    title: "Ce lien a déjà été signalé",
    text: "Une décision est attendue. Un autre signalement n’est pas nécessaire. Merci.",
  },
  unknown: {
    title: "Ce signalement n’existe pas",
    text: "Vérifiez que l’adresse est complète. Les signalements sont supprimés un an après leur envoi.",
  },
};
