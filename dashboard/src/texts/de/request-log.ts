import type { requestLog as english } from "../en/request-log.ts";

export const requestLog: typeof english = {
  title: "API-Anfragen",
  lead: "Was Programme mit den Schlüsseln dieses Kontos in den letzten 7 Tagen von der API verlangt haben. Neue Anfragen erscheinen nach etwa 10 Sekunden.",
  link: "Anfragen",
  linkOf: (name) => `Anfragen mit „${name}“`,
  all: "Alle Anfragen",
  filter: {
    key: "Schlüssel",
    allKeys: "Alle Schlüssel",
    status: "Status",
    allStatuses: "Alle",
    method: "Methode",
    allMethods: "Alle",
  },
  statuses: { "2xx": "2xx: erledigt", "3xx": "3xx: umgeleitet", "4xx": "4xx: abgelehnt", "5xx": "5xx: gescheitert" },
  request: "Anfrage",
  answer: "Status",
  key: "Schlüssel",
  time: "Zeit",
  unknownKey: "ein früherer Schlüssel",
  took: (ms) => `${ms} ms`,
  id: (id) => `Id der Anfrage: ${id}`,
  empty: {
    title: "Noch keine Anfragen",
    text: "Sobald ein Programm einen Schlüssel dieses Kontos verwendet, erscheinen hier seine Anfragen.",
  },
  noMatch: { title: "Keine solchen Anfragen", text: "Keine Anfrage der letzten 7 Tage passt zu diesen Filtern." },
  off: "Der Betreiber dieses Dienstes hat das Protokoll der Anfragen ausgeschaltet.",
  leftOut: (count) => `${count} Anfragen dieser Tage fehlen im Protokoll: Es behält von jedem Tag die neuesten.`,
};
