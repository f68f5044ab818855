/** The requirement sets of the conformance suite: the protocols with `initialize`, and the newest one. */
export type Revision = "2025-11-25" | "2026-07-28";

/** Checks of the conformance suite that fail or warn, and why this is right. */
interface ExpectedFailures {
  because: string;
  /** What the suite says about each of them. Another message is another failure. */
  says: RegExp;
  /** Scenario and check, separated by a slash. */
  checks: Partial<Record<Revision, readonly string[]>>;
}

/** A check that has the name of its scenario. */
const alike = (scenario: string) => `${scenario}/${scenario}`;

const TOOLS = ["audio", "embedded-resource", "error", "image", "mixed-content", "simple-text", "with-progress"].map(
  (kind) => alike(`tools-call-${kind}`),
);
const PROMPTS = ["embedded-resource", "simple", "with-args", "with-image"].map((kind) => alike(`prompts-get-${kind}`));
const RESOURCES = ["read-binary", "read-text", "templates-read"].map((kind) => alike(`resources-${kind}`));

export const EXPECTED_FAILURES: readonly ExpectedFailures[] = [
  {
    because: "They call a tool of the suite's own test server, such as test_simple_text.",
    says: /Tool '?\w+'? not found/,
    checks: {
      "2025-11-25": [
        ...TOOLS,
        "elicitation-sep1034-defaults/elicitation-sep1034-general",
        "elicitation-sep1330-enums/elicitation-sep1330-general",
        "json-schema-2020-12/json-schema-2020-12-tool-found",
        "tools-call-elicitation/tools-call-elicitation",
        "tools-call-sampling/tools-call-sampling",
      ],
      "2026-07-28": [
        ...TOOLS,
        "input-required-result-basic-elicitation/sep-2322-elicitation-incomplete",
        "input-required-result-basic-list-roots/sep-2322-list-roots-incomplete",
        "input-required-result-basic-sampling/sep-2322-sampling-incomplete",
        "input-required-result-capability-check/sep-2322-respect-client-capabilities",
        "input-required-result-ignore-extra-params/sep-2322-ignore-unexpected-params",
        "input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete",
        "input-required-result-request-state/sep-2322-request-state-incomplete",
        "input-required-result-result-type/sep-2322-result-type-included",
        "json-schema-2020-12/json-schema-2020-12-tool-found",
      ],
    },
  },
  {
    because: "They call a tool of the suite's own test server too, and say only what they did not get from it.",
    says: /^(Expected InputRequiredResult|Server returned JSON-RPC error instead|Prerequisite failed: could not get initial)/,
    checks: {
      "2026-07-28": [
        "input-required-result-missing-input-response/sep-2322-missing-response-rerequests",
        "input-required-result-multi-round/sep-2322-multi-round-r1",
        "input-required-result-tampered-state/sep-2322-reject-tampered-state",
      ],
    },
  },
  {
    because:
      "They call diagnostic tools of the suite's own test server; Tern asks only clients that can ask, and sends no logs.",
    says: /^Not testable: server does not list the diagnostic tool/,
    checks: {
      "2026-07-28": [
        "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
        "server-stateless/sep-2575-missing-capability-http-400",
        "server-stateless/sep-2575-server-no-log-without-loglevel",
        "server-stateless/sep-2575-server-rejects-undeclared-capability",
      ],
    },
  },
  {
    because: "They read a prompt or a resource of the suite's own test server.",
    says: /(Prompt \w+ not found|Resource not found: test:)/,
    checks: {
      "2025-11-25": [...PROMPTS, ...RESOURCES],
      "2026-07-28": [...PROMPTS, ...RESOURCES, "input-required-result-non-tool-request/sep-2322-non-tool-incomplete"],
    },
  },
  {
    because: "Tern announces no completion of arguments, which is optional.",
    says: /Method not found/,
    checks: { "2025-11-25": [alike("completion-complete")], "2026-07-28": [alike("completion-complete")] },
  },
  {
    because: "Tern announces neither log messages nor subscriptions, which are optional and need a session.",
    says: /Method not found/,
    checks: {
      "2025-11-25": [
        alike("logging-set-level"),
        alike("resources-subscribe"),
        alike("resources-unsubscribe"),
        alike("tools-call-with-logging"),
      ],
    },
  },
  {
    because:
      "These recommendations are for servers with sessions, whose clients resume a stream; Tern has no sessions.",
    says: /Server did not (provide session ID|send priming event|send retry field)/,
    checks: {
      "2025-11-25": [
        "server-sse-multiple-streams/server-sse-multiple-streams-session",
        "server-sse-polling/server-sse-polling-session",
        "server-sse-polling/server-sse-priming-event",
        "server-sse-polling/server-sse-retry-field",
      ],
    },
  },
  {
    because: "No tool of Tern takes an argument as a header (x-mcp-header), which is optional.",
    says: /^Not testable: server exposes no tool with x-mcp-header annotations/,
    checks: {
      "2026-07-28": [
        "http-custom-header-server-validation/sep-2243-server-decode-base64",
        "http-custom-header-server-validation/sep-2243-server-no-xmcp-tool",
        "http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars",
        "http-custom-header-server-validation/sep-2243-server-reject-param-mismatch",
        "http-custom-header-server-validation/sep-2243-server-validate-param-match",
      ],
    },
  },
  {
    because: "Tern has no tasks, an optional extension: each of its tools answers in its response.",
    says: /Tool \w+ not found|-32601|no task was created|fixture from Check 2 unavailable|capabilities\.extensions MUST be advertised|failing_job returned/,
    checks: {
      "2026-07-28": [
        "tasks-capability-negotiation/sep-2663-server-rejects-undeclared-client",
        "tasks-capability-negotiation/sep-2663-tasks-methods-non-declaring",
        "tasks-capability-negotiation/tasks-extension-advertised",
        "tasks-capability-negotiation/tasks-per-request-meta-opt-in",
        "tasks-dispatch-and-envelope/sep-2663-durable-create-strong-consistency",
        "tasks-dispatch-and-envelope/sep-2663-legacy-task-param-ignored",
        "tasks-dispatch-and-envelope/sep-2663-tasks-get-invalid-task-id-32602",
        "tasks-dispatch-and-envelope/tasks-immediate-result-shortcut",
        "tasks-dispatch-and-envelope/tasks-result-type-complete-on-non-task-responses",
        "tasks-dispatch-and-envelope/tasks-server-directed-creation-no-hint",
        "tasks-lifecycle/sep-2663-cancel-ack-empty-result",
        "tasks-lifecycle/sep-2663-result-type-task-on-create",
        "tasks-lifecycle/sep-2663-tasks-get-status-completed",
        "tasks-lifecycle/sep-2663-tasks-get-status-failed",
        "tasks-lifecycle/sep-2663-tasks-get-status-working",
        "tasks-lifecycle/sep-2663-tool-error-uses-completed-status",
        "tasks-lifecycle/tasks-cancel-terminal-idempotent-ack",
        "tasks-lifecycle/tasks-sync-tool-call",
        "tasks-mrtr-composition/sep-2663-mrtr-synchronous-before-task-creation",
        "tasks-mrtr-input/sep-2663-tasks-get-status-input-required",
        "tasks-mrtr-input/tasks-mrtr-partial-fulfillment",
        "tasks-mrtr-input/tasks-mrtr-tasks-update-resumes",
        "tasks-request-headers/sep-2663-routing-headers-accepted-on-tasks-get",
        "tasks-request-headers/sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
        "tasks-request-headers/tasks-headers-tolerate-mcp-method-on-tools-call",
        "tasks-request-state-removal/tasks-request-state-removal-setup",
        "tasks-required-task-error/sep-2663-server-returns-missing-capability-when-required",
        "tasks-wire-fields/tasks-no-early-ttl-expiry",
        "tasks-wire-fields/tasks-no-related-task-meta-on-inlined-result",
        "tasks-wire-fields/tasks-wire-field-renames",
      ],
    },
  },
];
