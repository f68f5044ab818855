import type { Plugin } from "vite";

const LAYOUT = "shell/app-layout";
const SETTINGS = "features/settings/pages";
/**
 * The modules that show a path below `/app/`, by the first two parts of the path, or else by the first one, with a slash if
 * others follow.
 */
const PAGE_OF_PATH: Record<string, string[]> = {
  "": [LAYOUT, "features/links/links-page"],
  links: [LAYOUT, "features/links/links-page"],
  "links/": [LAYOUT, "features/links/link-page"],
  analytics: [LAYOUT, "features/analytics/analytics-page"],
  settings: [LAYOUT, SETTINGS, "features/settings/general/general"],
  "settings/": [LAYOUT, SETTINGS],
  "settings/domains": [LAYOUT, SETTINGS, "features/settings/domains/domains"],
  "settings/keys": [LAYOUT, SETTINGS, "features/settings/keys/keys"],
  "settings/tags": [LAYOUT, SETTINGS, "features/settings/tags/tags"],
  "settings/team": [LAYOUT, SETTINGS, "features/settings/team/team"],
  "settings/webhooks": [LAYOUT, SETTINGS, "features/settings/webhooks/webhooks"],
  "sign-in": ["features/sign-in/sign-in-page"],
  "sign-up": ["features/sign-in/sign-up-page"],
};

/** Loads the code of the page at once, together with the code that all pages of the dashboard share, which would ask for it. */
export const pageFirst: Plugin = {
  name: "page-first",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle, chunk: shared }) {
      if (bundle === undefined || shared?.name !== "app") return html;
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      /** The files and all that they import. */
      const withImports = (...fileNames: string[]): string[] => {
        const reached = new Set(fileNames);
        for (const name of reached)
          for (const imported of chunks.find((each) => each.fileName === name)?.imports ?? []) reached.add(imported);
        return [...reached];
      };
      const loaded = withImports(shared.fileName);
      const fileOf = (module: string): string => {
        const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}.tsx`));
        return own?.fileName ?? this.error(`The module ${module} has no file of its own.`);
      };
      const files = Object.entries(PAGE_OF_PATH).map(([path, modules]) => {
        const own = withImports(...modules.map(fileOf));
        return [path, own.filter((name) => !loaded.includes(name))] as const;
      });
      const names = [...new Set(files.flatMap(([, own]) => own))];
      const byPath = Object.fromEntries(files.map(([path, own]) => [path, own.map((name) => names.indexOf(name))]));
      return html.replace(
        "  </head>",
        `    <script nonce="__NONCE__">
      {
        const [, , first = "", second] = location.pathname.split("/");
        const names = ${JSON.stringify(names)};
        const files = ${JSON.stringify(byPath)};
        for (const index of (second ? (files[\`\${first}/\${second}\`] ?? files[\`\${first}/\`]) : files[first]) ?? []) {
          const link = document.createElement("link");
          link.rel = "modulepreload";
          link.href = \`/_app/\${names[index]}\`;
          document.head.append(link);
        }
      }
    </script>
  </head>`,
      );
    },
  },
};
