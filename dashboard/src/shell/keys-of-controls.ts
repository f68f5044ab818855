import { GROUP_KEYS, OTHER_SAVE_KEYS, SAVE_KEYS } from "../features/links/editor/keys.ts";
import type { Shortcut } from "../lib/shortcut.ts";
import { texts } from "../texts/index.ts";
import type { Permission } from "#src/platform/auth/permissions.ts";

/**
 * What the list of shortcuts shows beside those in effect: the keys that controls of the page handle themselves while they
 * have the focus, and those of the editor, in which the list cannot be opened. A control with a new key adds it here.
 */
export function keysOfControls(pathname: string, can: (permission: Permission) => boolean): Shortcut[] {
  const { undo } = texts.ui;
  return [
    { keys: "Ctrl+z", label: undo, group: texts.shell.general },
    ...(pathname === "/links" ? ofList(can("links:write")) : []),
    ...(pathname === "/analytics" || pathname.startsWith("/links/") ? ofTimeline() : []),
    ...(can("links:write") ? [...ofEditor(), ...ofRuleHandle()] : []),
  ];
}

function ofList(canWrite: boolean): Shortcut[] {
  const { row, selection, shortcuts: group } = texts.linkList;
  const keys = texts.shell.keys;
  return [
    { keys: "Enter", label: row.open, group },
    { keys: "ArrowDown", label: row.next, group },
    { keys: "ArrowUp", label: row.previous, group },
    ...(canWrite
      ? [
          { keys: "Space", label: keys.select, group },
          { keys: "Shift+ArrowDown", label: keys.selectNext, group },
          { keys: "Shift+ArrowUp", label: keys.selectPrevious, group },
          { keys: "Escape", label: selection.clear, group },
          { keys: "Ctrl+v", label: keys.paste, group: texts.shell.general },
        ]
      : []),
  ];
}

function ofTimeline(): Shortcut[] {
  const { timeline: group, ...keys } = texts.shell.keys;
  return [
    { keys: "ArrowRight", label: keys.next, group },
    { keys: "ArrowLeft", label: keys.previous, group },
    { keys: "Shift+ArrowRight", label: keys.selectAfter, group },
    { keys: "Shift+ArrowLeft", label: keys.selectBefore, group },
    { keys: "Home", label: keys.first, group },
    { keys: "End", label: keys.last, group },
    { keys: "Enter", label: keys.zoom, group },
    { keys: "Escape", label: keys.clear, group },
  ];
}

function ofEditor(): Shortcut[] {
  const { save, groups, keysGroup: group } = texts.editor;
  return [
    { keys: SAVE_KEYS, label: save, group },
    { keys: OTHER_SAVE_KEYS, label: save, group },
    ...Object.entries(GROUP_KEYS).map(([id, keys]) => ({ keys, label: groups[id as keyof typeof GROUP_KEYS], group })),
  ];
}

function ofRuleHandle(): Shortcut[] {
  const { group, ...keys } = texts.editor.rules.keys;
  return [
    { keys: "ArrowUp", label: keys.up, group },
    { keys: "ArrowDown", label: keys.down, group },
    { keys: "Home", label: keys.first, group },
    { keys: "End", label: keys.last, group },
  ];
}
