import type { DefaultTheme } from 'vitepress';
import { toReadable } from './markdown-of-page.ts';
import { indexOptions, toSought } from './search.ts';
import { soughtWords } from './sought-words.ts';

/** The words that a page is looked for by, for its index. */
const soughtOf = (page: string): string => (soughtWords[page] ?? []).map(toSought).join(' ');

/** Has the names in the first column of a table found, as those of headings are. */
const nameRows = (html: string): string =>
  html.replace(/<tr>\s*<td><code>(x-[\w-]+|AB\d\d)<\/code>/g, (row, name: string) => `${row}${toSought(name)}`);

/** A page for the index: without the colours of its code, which would take most of the time. */
const renderPlain: DefaultTheme.LocalSearchOptions['_render'] = (source, env, markdown) => {
  const { highlight } = markdown.options;
  markdown.options.highlight = (code) => markdown.utils.escapeHtml(code);
  try {
    const html = markdown.render(toReadable(source, env.relativePath), env);
    return nameRows(html).replace('</h1>', `$&<p>${soughtOf(env.relativePath)}</p>`);
  } finally {
    markdown.options.highlight = highlight;
  }
};

// VitePress writes functions of its config into pages as texts, and evaluates them there, which security policies refuse.
// It does not see members that are not enumerable: the theme gives the same functions to the browser.
const miniSearch = Object.defineProperty({}, 'options', { value: indexOptions, enumerable: false });

/** The search of the site: its index is a file of the site, and its queries leave the browser for nobody. */
export const localSearch: { readonly provider: 'local'; readonly options: DefaultTheme.LocalSearchOptions } = {
  provider: 'local',
  options: { miniSearch, _render: renderPlain },
};
