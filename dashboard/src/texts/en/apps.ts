export const apps = {
  lead: "Assistants and other apps that may use this account in the name of a person, without an API key.",
  unnamed: "App without a name",
  yours: "Your apps",
  others: "Apps of other people",
  facts: {
    may: "May",
    connected: "Connected",
    by: (name: string, email: string) => `by ${name} (${email})`,
    used: "Last used",
    neverUsed: "Not used yet",
  },
  unverified: "Not verified",
  disconnect: "Disconnect",
  dialog: {
    title: (app: string) => `Disconnect “${app}”?`,
    text: "It loses access at once, on all devices where it was connected with this account. To use it again, connect it again.",
    textOfOther: (person: string) => `${person} uses it. It loses access at once, and has to be connected again.`,
    action: "Disconnect",
    done: (app: string) => `“${app}” is disconnected`,
  },
  empty: {
    title: "No app is connected",
    text: "Connect Claude, Cursor, ChatGPT or another assistant, and ask it to shorten links or to look at clicks.",
    action: "Connect an assistant",
  },
  assistants: {
    title: "Connect an assistant",
    lead: "Give it this address. It opens a page of this service, where you choose the account and what the assistant may do.",
    address: "Address of the MCP server",
    local: "This service runs on your computer: only programs on it reach this address, and not claude.ai or ChatGPT.",
    claudeCode: "Claude Code",
    claudeCodeText: "Run this in a terminal. Then enter /mcp in a session, choose tern and “Authenticate”.",
    claude: "claude.ai and Claude Desktop",
    claudeText:
      "“Customize”, “Connectors”, “Add custom connector”: enter the name Tern and the address. Then “Connect”.",
    chatGpt: "ChatGPT",
    chatGptText:
      "On the web, “Settings”, “Apps”, “Advanced settings”: switch on the developer mode. Then “Create app” with the name Tern, the address and OAuth.",
    cursor: "Cursor",
    cursorAction: "Add to Cursor",
    vsCode: "VS Code",
    vsCodeAction: "Add to VS Code",
    opens: "This opens the program on this computer, which asks whether it may add the server.",
    others: "Others",
    othersText:
      "Where a program asks for a server: the transport Streamable HTTP, the address, and OAuth without a client id and a secret.",
  },
};
