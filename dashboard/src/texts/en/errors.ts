export const errors = {
  limited: (seconds: number) =>
    `That was too fast. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}; nothing you typed is lost.`,
  again: (wait: string) => `Try again ${wait}.`,
  notFound: { title: "There is no such page", text: "Check the address, or go on with your links." },
  notLoaded:
    "This part of the page could not be loaded. Check your connection, then reload the page: it may be of an older version of Tern.",
  notOpened: "The page could not be opened",
  opensOnline: "There is no connection. It opens as soon as you are online again.",
  perhapsNew: "The connection failed, or there is a new version of Tern.",
  offline: "The service could not be reached. Check your connection; nothing you typed is lost.",
  requestId: (id: string) => `If it happens again, report it with this number: ${id}`,
  unexpected: "Something went wrong on this page. Reload it, and report the problem if it happens again.",
};
