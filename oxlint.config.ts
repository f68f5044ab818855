import { defineConfig, type OxlintOverride } from "oxlint";
import { LAYERS } from "./src/layers.ts";

/** A regular expression of module specifiers, and why these modules are not imported. */
interface Refusal {
  regex: string;
  message: string;
}

const ROUTES: Refusal = {
  regex: String.raw`(^|/)(routes|app|cron|index)\.ts$`,
  message: "Only app.ts and src/safety/wing.ts import routes, and only index.ts imports what answers events.",
};
const BEHIND_THE_WIRE: Refusal = {
  regex: String.raw`(store|routes|middleware|app)\.ts$|/store/`,
  message: "A contract is the wire and nothing behind it.",
};
const HTTP: Refusal = {
  regex: String.raw`^(hono|@hono)(/|$)|(^|/)(routes|app|cron|index|middleware|authenticate)\.ts$|/http/errors\.ts$`,
  message: "Stores know nothing of HTTP.",
};
const API: Refusal = {
  regex: String.raw`^(hono|@hono|zod|uuid|ipaddr\.js)(/|$)|(^|/)(app|cron|routes|contract)\.ts$|/(http|auth|links|keys)/`,
  message: "Short links are answered before anything of the API is evaluated.",
};

const ALIASES: Refusal = {
  regex: "^#",
  message: "The aliases are the dashboard's. Modules of the service import each other by relative paths.",
};
/** The optional wing is a choice of the build, so the files that the runtime calls import it by this name alone. */
const NO_WING: Refusal = {
  regex: String.raw`^#.*/|^\./safety/`,
  message: 'The files that the runtime calls import the wing as "#safety" (src/safety/wing.ts).',
};
const LONG_PATHS: Refusal = {
  regex: String.raw`^(\.\./){3}|^(\.\./)+src/`,
  message: 'Write "#src/…" or "#dashboard/…" (package.json, "imports").',
};

/** What modules may not import besides higher layers, by their names below a folder of `src`. The last that fits counts. */
const KINDS: { files: string; refusal: Refusal }[] = [
  { files: "**/*contract.ts", refusal: BEHIND_THE_WIRE },
  { files: "**/store.ts", refusal: HTTP },
  { files: "**/store/**", refusal: HTTP },
];

/** Modules of a kind, by their paths in `src`. */
const MODULES: { files: string[]; refusal: Refusal }[] = [
  { files: ["platform/rate-limit/window.ts", "click-log/log/**"], refusal: HTTP },
  {
    files: [
      "redirect/**",
      "platform/visitor/**",
      "click-log/capture/**",
      "platform/rate-limit/limiter.ts",
      "identity/people/password-hashing/hasher.ts",
    ],
    refusal: API,
  },
];

/** The rule for files of an entry of {@link LAYERS}: they import entries of lower layers only. */
function restrictImports(entry: string, files: string, refusals: readonly Refusal[]): OxlintOverride {
  const layer = LAYERS.findIndex((entries) => entries.includes(entry));
  const isFile = entry.endsWith(".ts");
  const others = LAYERS.slice(isFile ? layer + 1 : layer)
    .flat()
    .filter((other) => other !== entry);
  const names = others.map((other) => other.replace(/\.ts$/, "")).join("|");
  const upwards = {
    regex: String.raw`^${isFile ? String.raw`\./` : String.raw`(\.\./)+`}(${names})(/|\.)`,
    message: "A module imports from its own folder and from lower layers (src/layers.ts).",
  };
  const patterns = [...(others.length === 0 ? [] : [upwards]), isFile ? NO_WING : ALIASES, ...refusals];
  return { files: [`src/${files}`], rules: { "eslint/no-restricted-imports": ["error", { patterns }] } };
}

function restrictEntry(entry: string): OxlintOverride[] {
  if (entry.endsWith(".ts")) return [restrictImports(entry, entry, [])];
  return [
    restrictImports(entry, `${entry}/**`, [ROUTES]),
    // What the optional wing registers.
    ...(entry === "safety" ? [restrictImports(entry, "safety/wing.ts", [])] : []),
    ...KINDS.map(({ files, refusal }) => restrictImports(entry, `${entry}/${files}`, [refusal])),
    ...MODULES.flatMap(({ files, refusal }) =>
      files.filter((file) => file.startsWith(`${entry}/`)).map((file) => restrictImports(entry, file, [refusal])),
    ),
  ];
}

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "react", "jsx-a11y"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error",
  },
  ignorePatterns: ["worker-configuration.d.ts", "dist"],
  rules: {
    "eslint/max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
    "eslint/max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
    "eslint/eqeqeq": ["error", "always", { null: "ignore" }],
    "eslint/no-await-in-loop": "off",
    "eslint/no-shadow": "off",
    "eslint/no-unused-expressions": ["error", { allowTaggedTemplates: true }],
    "eslint/no-underscore-dangle": "off",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/consistent-type-imports": "error",
    "unicorn/no-array-sort": "off",
    "import/no-unassigned-import": "off",
    "import/no-cycle": ["error", { ignoreTypes: false }],
  },
  overrides: [
    ...LAYERS.flat().flatMap(restrictEntry),
    {
      files: ["test/**", "tools/scripts/**", "tools/bench/**"],
      rules: {
        "eslint/max-lines-per-function": "off",
        "unicorn/consistent-function-scoping": "off",
      },
    },
    {
      files: ["examples/sdk/express.js"],
      rules: {
        "oxc/no-async-endpoint-handlers": "off",
      },
    },
    {
      files: ["dashboard/**"],
      rules: {
        "eslint/max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }],
        "eslint/no-restricted-imports": ["error", { patterns: [LONG_PATHS] }],
        "react/react-in-jsx-scope": "off",
        "jsx-a11y/no-autofocus": "off",
        "jsx-a11y/no-noninteractive-tabindex": "off",
        "jsx-a11y/prefer-tag-over-role": "off",
        "react/no-array-index-key": "off",
      },
    },
    {
      files: ["src/**"],
      rules: {
        "eslint/max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      // The wire of a room, and what a mail says in one language.
      files: ["src/**/*contract.ts", "src/platform/mail/texts/*.ts"],
      rules: {
        "eslint/max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      // The closed list of faults.
      files: ["src/platform/http/fault-sentences.ts"],
      rules: {
        "eslint/max-lines": "off",
      },
    },
    {
      files: ["test/e2e/fuzz.test.ts", "test/browser/dashboard/*.test.ts"],
      rules: {
        "eslint/max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      },
    },
  ],
});
