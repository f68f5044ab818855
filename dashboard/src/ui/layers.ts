/**
 * Whether a node is in a dialog, menu or panel above this one. They are children of the body, and what opens later comes later.
 * Radix asks React's tree, which tells nothing under Preact: events there do not leave a portal.
 */
export function isAbove(target: EventTarget | null, content: Element | null): boolean {
  if (!(target instanceof Element) || content === null) return false;
  // Radix asks after the click, which may have closed the menu that the node was in.
  if (!target.isConnected) return true;
  const [layer, own] = [layerOf(target), layerOf(content)];
  if (layer === null || own === null || layer === own) return false;
  return (own.compareDocumentPosition(layer) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** The child of the body that a node is in, unless it is the page. */
const layerOf = (node: Element): Element | null => node.closest("body > :not(#root)");
