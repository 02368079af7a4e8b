// Where keys of the page would get in the way of an element's own.

/** Check boxes and radio buttons take no text: the page's keys work on them too. */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)) return false;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Widgets that use arrow keys themselves keep them. */
export function ownsArrows(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("[role=grid],[role=tablist],[role=tree],[role=listbox],input[type=radio]") !== null;
}
