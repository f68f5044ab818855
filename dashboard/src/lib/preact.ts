import { options, type VNode } from "preact";

// What React does and Preact leaves out (docs/adr/0053-pages-on-preact.md).

/** The hooks of Preact that are used here. `__c` has no public type, and the same name in all builds of Preact. */
interface Hooks {
  diffed?: (this: void, vnode: VNode) => void;
  /** After a tree was changed in the document, before the effects of its components. */
  __c?: (this: void, vnode: VNode, queue: unknown[]) => void;
  event?: (this: void, event: Event) => unknown;
  /** Takes what runs the effects. */
  requestAnimationFrame?: (run: () => void) => void;
}

interface ControlProps {
  autoFocus?: boolean;
  checked?: boolean;
  value?: unknown;
}

/** A node with the element that it is, if it has one. */
type RenderedVNode = VNode<ControlProps> & { __e?: Element | null };

const hooks = options as Hooks;
const { diffed, event: prepare, __c: commit } = hooks;
const entered = new WeakSet<Element>();
let waiting: HTMLElement[] = [];
/** The newest properties of fields, whose values are those of the state. */
const controlled = new WeakMap<EventTarget, ControlProps>();

hooks.diffed = (vnode) => {
  const { type, props, __e: element } = vnode as RenderedVNode;
  if (typeof type === "string" && element instanceof HTMLElement) {
    if ("value" in props || "checked" in props) controlled.set(element, props);
    if (props.autoFocus === true && !entered.has(element)) {
      entered.add(element);
      waiting.push(element);
    }
  }
  diffed?.(vnode);
};

// An element with `autoFocus` gets the focus when it comes into the document.
hooks.__c = (vnode, queue) => {
  const elements = waiting;
  waiting = [];
  for (const element of elements) element.focus();
  commit?.(vnode, queue);
};

// A field shows its state also if a handler leaves the state as it was, which renders nothing.
hooks.event = (event) => {
  const { target, type } = event;
  if (isField(target) && (type === "input" || type === "change" || type === "click"))
    // The handler asks for the rendering after the first of these two, so the second runs after it.
    queueMicrotask(() => queueMicrotask(() => showState(target)));
  return prepare?.(event) ?? event;
};

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

function showState(field: Field): void {
  const { value, checked } = controlled.get(field) ?? {};
  if ("checked" in field && checked !== undefined && field.checked !== checked) field.checked = checked;
  if (typeof value === "string" && field.type !== "checkbox" && field.type !== "radio" && field.value !== value)
    field.value = value;
}

// Effects run before the next event, not after the next frame: a mutation gets its function by one, and would otherwise send a
// form as it was before the last key.
hooks.requestAnimationFrame = queueMicrotask;
