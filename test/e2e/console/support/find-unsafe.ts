import type { Page } from 'playwright-core';

/**
 * Run in a page: lists texts and element names that contain an invisible character or one that changes the direction of text, and
 * elements that only somebody else's markup can have created.
 */
const script = `(() => {
  const hidden = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]/;
  const found = [];
  const place = (element) => [element.tagName, element.className].join(' ');
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (hidden.test(node.data)) found.push('text in ' + place(node.parentElement) + ': ' + JSON.stringify(node.data.slice(0, 80)));
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (/^on/.test(name)) found.push('handler ' + name + ' of ' + place(element));
      if (/^(?:title|alt|placeholder|aria-label|aria-description|aria-valuetext)$/.test(name) && hidden.test(value))
        found.push(name + ' of ' + place(element) + ': ' + JSON.stringify(value.slice(0, 80)));
      if (/^(?:href|src|action|formaction|xlink:href)$/.test(name) && /^\\s*(?:javascript|data:text|vbscript):/i.test(value))
        found.push(name + ' of ' + place(element) + ': ' + value.slice(0, 80));
    }
  }
  for (const element of document.querySelectorAll('body script, body iframe, body img, body object, body embed, body style'))
    if (!element.matches('[data-own]')) found.push('element ' + place(element));
  if (hidden.test(document.title)) found.push('title: ' + JSON.stringify(document.title));
  if (window.hacked !== undefined) found.push('a script has run');
  return [...new Set(found)];
})()`;

/** Lists the texts of others that a page does not show safely. Empty if there are none. */
export const findUnsafe = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(script);
