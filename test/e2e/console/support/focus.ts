/** Whether an element has the focus, also in a shadow root. Runs in the page. */
export const holdsFocus = (element: unknown): boolean => Object(element).getRootNode().activeElement === element;

/**
 * An expression for `page.evaluate`: the element that has the focus, if it does not show the focus soon or is out of sight;
 * otherwise an empty string. The focus is shown by an outline of two pixels or by the border of an SVG shape: of the control
 * itself, of its label, of the element that represents it, or of the frame of an editor.
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
