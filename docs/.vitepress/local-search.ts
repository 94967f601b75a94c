import type { DefaultTheme } from 'vitepress';
import { toReadable } from './markdown-of-page.ts';
import { indexOptions, toSearchWords } from './search.ts';
import { searchWords } from './search-words.ts';

/** Returns the search words of a page, in the form for the index. */
const searchWordsOf = (page: string): string => (searchWords[page] ?? []).map(toSearchWords).join(' ');

/** Marks the names in the first column of a table, so that the search finds them like headings. */
const nameRows = (html: string): string =>
  html.replace(/<tr>\s*<td><code>(x-[\w-]+|AB\d\d)<\/code>/g, (row, name: string) => `${row}${toSearchWords(name)}`);

/** Renders a page for the index. Skips syntax highlighting, which would take most of the time. */
const renderPlain: DefaultTheme.LocalSearchOptions['_render'] = (source, env, markdown) => {
  const { highlight } = markdown.options;
  markdown.options.highlight = (code) => markdown.utils.escapeHtml(code);
  try {
    const html = markdown.render(toReadable(source, env.relativePath), env);
    return nameRows(html).replace('</h1>', `$&<p>${searchWordsOf(env.relativePath)}</p>`);
  } finally {
    markdown.options.highlight = highlight;
  }
};

// VitePress serialises functions of its config into the pages and evaluates them there, which the security policy forbids. It
// ignores non-enumerable members, so these functions stay in Node; the theme passes the same functions to the browser.
const miniSearch = Object.defineProperty({}, 'options', { value: indexOptions, enumerable: false });

/** The search of the site. Its index is a file of the site, and queries never leave the browser. */
export const localSearch: { readonly provider: 'local'; readonly options: DefaultTheme.LocalSearchOptions } = {
  provider: 'local',
  options: { miniSearch, _render: renderPlain },
};
