import type { PageTexts } from "./page-texts.ts";

export const texts: PageTexts = {
  errors: {
    not_found: {
      title: "Ce lien n’existe pas",
      text: "Vérifiez que l’adresse a été copiée en entier et saisie telle qu’elle est imprimée.",
    },
    not_started: {
      title: "Ce lien n’est pas encore actif",
      text: "Son propriétaire a fixé le moment à partir duquel il fonctionne. Réessayez plus tard.",
    },
    gone: {
      title: "Ce lien n’est plus actif",
      text: "Son propriétaire y a mis fin, ou il était prévu pour une durée ou un nombre de visites limités. Demandez un nouveau lien à la personne qui l’a partagé.",
    },
    blocked: {
      title: "Ce lien est bloqué",
      text: "Il mène à un contenu que ce service n’autorise pas. S’il est à vous, connectez-vous pour en voir la raison.",
    },
    blocked_by_law: {
      title: "Ce lien n’est pas disponible",
      text: "Il a été bloqué à la suite d’une décision légale.",
    },
    method_not_allowed: {
      title: "Cette méthode n’est pas autorisée",
      text: "Les liens courts s’ouvrent avec GET ou HEAD.",
    },
    internal: {
      title: "Une erreur s’est produite",
      text: "Elle vient de nous, pas du lien. Veuillez réessayer.",
    },
    unavailable: {
      title: "Ce lien ne peut pas être recherché pour le moment",
      text: "Le lien n’est pas perdu. Veuillez réessayer dans quelques secondes.",
    },
    password_required: {
      title: "Ce lien est protégé par un mot de passe",
      text: "Saisissez le mot de passe ici. La personne qui a partagé le lien peut vous le donner.",
    },
    wrong_password: {
      title: "Ce n’est pas le bon mot de passe",
      text: "Vérifiez-le, majuscules et minuscules comprises, puis réessayez.",
    },
    rate_limited: { title: "Trop d’essais", text: "Réessayez dans {wait}." },
    too_many_unknown: {
      title: "Trop de liens inconnus",
      text: "Trop de liens qui n’existent pas ont été demandés depuis votre réseau. Réessayez dans {wait}.",
    },
    no_password: { title: "Ce lien n’a pas de mot de passe", text: "Il n’accepte que les requêtes GET et HEAD." },
    unsupported_media_type: {
      title: "Ce type de contenu n’est pas pris en charge",
      text: "Envoyez le champ password au format application/x-www-form-urlencoded.",
    },
    invalid_request: { title: "Le formulaire n’est pas arrivé en entier", text: "Envoyez-le de nouveau." },
    payload_too_large: {
      title: "C’est trop long pour un mot de passe",
      text: "Le formulaire peut avoir au plus {bytes} octets.",
    },
  },
  retrying: "Cette page réessaie d’elle-même.",
  root: {
    title: "Liens courts",
    text: "Ce domaine sert aux liens courts. Ouvrez le lien complet que vous avez reçu.",
  },
  ownVisits: {
    title: "Visites avec ce navigateur",
    counted: "Les visites de liens courts sur {host} avec ce navigateur sont comptées.",
    uncounted:
      "Les visites de liens courts sur {host} avec ce navigateur ne sont pas comptées. Un cookie garde ce choix pendant 400 jours au plus.",
    leaveOut: "Ne pas les compter",
    count: "Les compter",
  },
  password: { label: "Mot de passe", submit: "Continuer", back: "Retour au lien" },
  report: "Signaler un abus",
  app: {
    title: "Ce lien ouvre une application",
    text: "Vous pouvez aussi le suivre dans le navigateur.",
    open: "Ouvrir dans l’application",
    stay: "Continuer dans le navigateur",
  },
  destination: {
    title: "Où mène ce lien",
    hidden: "Seuls les visiteurs qui ont le mot de passe voient sa destination.",
    app: "Sur cet appareil, il essaie d’abord une application :",
    ended: "Son propriétaire y envoie désormais les visiteurs.",
    varies: "D’autres visiteurs peuvent être envoyés ailleurs, par exemple selon le pays ou l’appareil.",
    follow: "Continuer",
    unicode: "Dans sa propre écriture, {name} est {unicode}.",
  },
  verdict: {
    title: "Attention à ce lien",
    pending: "Personne n’a encore vérifié où mène ce lien. Regardez l’adresse avant de continuer.",
    phishing: "La page imite peut-être un autre site pour obtenir des mots de passe ou des numéros de carte.",
    malware: "La page installe peut-être des logiciels nuisibles.",
    spam: "Le lien a été signalé comme indésirable.",
    lookalike: "L’adresse ressemble à celle d’un autre site. Lisez-la lettre par lettre.",
    shortener: "C’est un autre lien court : on ne voit pas ici où il aboutit.",
    other: "La page enfreint peut-être les règles de ce service.",
    advisory: "Avertissement fourni par Google",
    uncertain: "Un avertissement peut être erroné, et certaines pages nuisibles n’en ont pas.",
  },
};
