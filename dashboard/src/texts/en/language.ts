export const language = {
  browser: "As in the browser",
  hint: "For the dashboard. Mails, the documents and the API reference are in English.",
  label: "Language",
};
