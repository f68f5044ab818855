import type { apps as english } from "../en/apps.ts";

export const apps: typeof english = {
  lead: "Asistentes y otras apps que pueden usar esta cuenta en nombre de una persona, sin clave de API.",
  unnamed: "App sin nombre",
  yours: "Tus apps",
  others: "Apps de otras personas",
  facts: {
    may: "Puede",
    connected: "Conectada",
    by: (name, email) => `por ${name} (${email})`,
    used: "Último uso",
    neverUsed: "Sin usar",
  },
  unverified: "Sin verificar",
  disconnect: "Desconectar",
  dialog: {
    title: (app) => `¿Desconectar “${app}”?`,
    text: "Pierde el acceso de inmediato, en todos los dispositivos donde se conectó con esta cuenta. Para volver a usarla, conéctala de nuevo.",
    textOfOther: (person) => `La usa ${person}. Pierde el acceso de inmediato y hay que conectarla de nuevo.`,
    action: "Desconectar",
    done: (app) => `“${app}” está desconectada`,
  },
  empty: {
    title: "No hay apps conectadas",
    text: "Conecta Claude, Cursor, ChatGPT u otro asistente, y pídele que acorte enlaces o que mire los clics.",
    action: "Conectar un asistente",
  },
  assistants: {
    title: "Conectar un asistente",
    lead: "Dale esta dirección. Abre una página de este servicio en la que eliges la cuenta y lo que puede hacer el asistente.",
    address: "Dirección del servidor MCP",
    local:
      "Este servicio se ejecuta en tu computadora: solo los programas que están en ella llegan a esta dirección, y no claude.ai ni ChatGPT.",
    claudeCode: "Claude Code",
    claudeCodeText: "Ejecuta esto en un terminal. Después escribe /mcp en una sesión, elige tern y “Authenticate”.",
    claude: "claude.ai y Claude Desktop",
    claudeText:
      "“Customize”, “Connectors”, “Add custom connector”: escribe el nombre Tern y la dirección. Después, “Connect”.",
    chatGpt: "ChatGPT",
    chatGptText:
      "En la web, “Settings”, “Apps”, “Advanced settings”: activa el modo de desarrollador. Después, “Create app” con el nombre Tern, la dirección y OAuth.",
    cursor: "Cursor",
    cursorAction: "Añadir a Cursor",
    vsCode: "VS Code",
    vsCodeAction: "Añadir a VS Code",
    opens: "Esto abre el programa en esta computadora, que pregunta si puede añadir el servidor.",
    others: "Otros",
    othersText:
      "Donde un programa pida un servidor: el transporte Streamable HTTP, la dirección, y OAuth sin id de cliente ni secreto.",
  },
};
