/** Whether an element has the focus, in a shadow root too; runs in the page. */
export const holdsFocus = (element: unknown): boolean => Object(element).getRootNode().activeElement === element;

/**
 * An expression for `page.evaluate`: what has the focus, if nothing shows soon that it has it or it is out of sight, and an empty
 * string otherwise. An outline of two pixels or a border of an SVG shape shows it, of the control itself, its label, what stands for it
 * beside it, or the frame of an editor.
 */
export const findUnseenFocus = `(async () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === null || at === document.body || at.id === 'content') return '';
  const shown = [at, at.nextElementSibling, at.closest('label'), at.closest('.cm-editor'), at.querySelector('rect')];
  const isOutlined = (each) => {
    if (each === null) return false;
    const { outlineStyle, outlineWidth, strokeWidth } = getComputedStyle(each);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || (each.tagName === 'rect' && parseFloat(strokeWidth) >= 3);
  };
  const isInSight = () => {
    const { top, bottom, left, right } = at.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight && right >= 0 && left <= innerWidth;
  };
  // Styles change in a transition, and editors note their focus a moment later.
  for (let wait = 0; wait < 100; wait += 1) {
    if (isInSight() && shown.some(isOutlined)) return '';
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return (isInSight() ? 'Nothing shows the focus of ' : 'Out of sight: ') + at.outerHTML.slice(0, 200);
})()`;
