import type { takedowns as english } from "../en/takedowns.ts";

export const takedowns: typeof english = {
  kinds: { link: "Enlace", account: "Cuenta", domain: "Dominio", host: "Todos los enlaces a un host" },
  reasons: {
    phishing: "Phishing",
    malware: "Malware",
    spam: "Spam",
    child_abuse: "Abuso infantil",
    illegal: "Ilegal",
    policy: "Normas de este servicio",
    other: "Otro motivo",
  },
  legalOrder: "Orden legal",
  inForce: "En vigor",
  reversed: "Revertida",
  lead: "Lo que los operadores del servicio retiraron de esta cuenta, y tus apelaciones.",
  empty: {
    title: "No se ha retirado nada",
    text: "Si un operador retira algo, aparece aquí con el motivo.",
  },
  appeal: "Apelar…",
  title: (name) => `Apelación contra la retirada de ${name}`,
  statement: "¿Por qué es un error?",
  hint: "Un operador la lee y decide. Puedes apelar una vez, y recibes la decisión por correo.",
  action: "Enviar apelación",
  sent: "Apelación enviada",
  yours: "Dijiste",
  waiting: "Nadie ha decidido todavía.",
  decisions: {
    upheld: "Decidido: la retirada se mantiene.",
    reversed: "Decidido: ya no está retirado.",
  },
};
