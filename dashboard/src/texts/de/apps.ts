import type { apps as english } from "../en/apps.ts";

export const apps: typeof english = {
  lead: "Assistenten und andere Apps, die dieses Konto im Namen einer Person verwenden dürfen, ohne API-Schlüssel.",
  unnamed: "App ohne Namen",
  yours: "Ihre Apps",
  others: "Apps anderer Personen",
  facts: {
    may: "Darf",
    connected: "Verbunden",
    by: (name, email) => `von ${name} (${email})`,
    used: "Zuletzt verwendet",
    neverUsed: "Noch nicht verwendet",
  },
  unverified: "Nicht bestätigt",
  disconnect: "Trennen",
  dialog: {
    title: (app) => `„${app}“ trennen?`,
    text: "Sie verliert sofort den Zugriff, auf allen Geräten, auf denen sie mit diesem Konto verbunden war. Um sie wieder zu verwenden, verbinden Sie sie neu.",
    textOfOther: (person) => `${person} verwendet sie. Sie verliert sofort den Zugriff und muss neu verbunden werden.`,
    action: "Trennen",
    done: (app) => `„${app}“ ist getrennt`,
  },
  empty: {
    title: "Keine App ist verbunden",
    text: "Verbinden Sie Claude, Cursor, ChatGPT oder einen anderen Assistenten, und lassen Sie ihn Links kürzen oder Klicks ansehen.",
    action: "Assistenten verbinden",
  },
  assistants: {
    title: "Assistenten verbinden",
    lead: "Geben Sie ihm diese Adresse. Er öffnet eine Seite dieses Dienstes, auf der Sie das Konto wählen und was der Assistent darf.",
    address: "Adresse des MCP-Servers",
    local:
      "Dieser Dienst läuft auf Ihrem Computer: Nur Programme darauf erreichen diese Adresse, nicht claude.ai oder ChatGPT.",
    claudeCode: "Claude Code",
    claudeCodeText:
      "Führen Sie das in einem Terminal aus. Geben Sie dann in einer Sitzung /mcp ein, wählen Sie tern und „Authenticate“.",
    claude: "claude.ai und Claude Desktop",
    claudeText:
      "„Customize“, „Connectors“, „Add custom connector“: Geben Sie den Namen Tern und die Adresse ein. Dann „Connect“.",
    chatGpt: "ChatGPT",
    chatGptText:
      "Im Web „Settings“, „Apps“, „Advanced settings“: Schalten Sie den Entwicklermodus ein. Dann „Create app“ mit dem Namen Tern, der Adresse und OAuth.",
    cursor: "Cursor",
    cursorAction: "Zu Cursor hinzufügen",
    vsCode: "VS Code",
    vsCodeAction: "Zu VS Code hinzufügen",
    opens: "Das öffnet das Programm auf diesem Computer. Es fragt, ob es den Server hinzufügen darf.",
    others: "Andere",
    othersText:
      "Wo ein Programm nach einem Server fragt: Transport Streamable HTTP, die Adresse, und OAuth ohne Client-ID und Secret.",
  },
};
