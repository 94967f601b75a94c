import type { MarkdownOptions } from 'vitepress';
import { toSitePath, toSource } from './pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

/** A link to the index of a folder as the site names it. */
const withSitePath = (link: Token): Token => {
  const href = link.attrGet('href') ?? '';
  if (!/^[a-z]+:/i.test(href)) link.attrSet('href', toSitePath(href));
  return link;
};

/** In place of links: their text, and in parentheses the path where the text does not name it. */
const replaceLinks = (tokens: readonly Token[], page: string, makeToken: (type: string) => Token): Token[] => {
  const replaced: Token[] = [];
  let source: string | undefined;
  let text = '';
  for (const token of tokens) {
    if (token.type === 'link_open') {
      source = toSource(token.attrGet('href') ?? '', page);
      text = '';
      if (source === undefined) replaced.push(withSitePath(token));
    } else if (token.type === 'link_close' && source !== undefined) {
      const shown = text.replaceAll('`', '');
      if (shown !== source) {
        const before = makeToken('text');
        before.content = ' (';
        const code = makeToken('code_inline');
        code.content = source;
        code.markup = '`';
        const after = makeToken('text');
        after.content = ')';
        replaced.push(before, code, after);
      }
      source = undefined;
    } else {
      text += token.content;
      replaced.push(token);
    }
  }
  return replaced;
};

/** Makes cells without a text of those in the head of a table: a header that says nothing is none. */
const openCorners = (tokens: readonly Token[]): void => {
  for (const [at, token] of tokens.entries()) {
    const close = tokens[at + 2];
    if (token.type !== 'th_open' || close === undefined || tokens[at + 1]?.content !== '') continue;
    token.tag = 'td';
    close.tag = 'td';
  }
};

/** Shows the name of a file above its text, as blocks have it after their language: `json configs/chat.json`. */
const nameFiles = (markdown: Markdown): void => {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, at, ...others) => {
    const [, file] = /^\w+ ([\w./-]+\.\w+)$/.exec(tokens[at]?.info.trim() ?? '') ?? [];
    const shown = fence?.(tokens, at, ...others) ?? '';
    return file === undefined
      ? shown
      : `<p class="file-name"><code>${markdown.utils.escapeHtml(file)}</code></p>\n${shown}`;
  };
};

/**
 * The site is not at the host of the repository, so that a link to a source of it has no address there: the page shows
 * the path. In the clone, at the repository's host and in the package the link works. A `README.md` is an index there.
 */
export const adaptMarkdown = (markdown: Markdown): void => {
  nameFiles(markdown);
  markdown.core.ruler.push('adapt-markdown', (state) => {
    const page = String(state.env.relativePath ?? '');
    openCorners(state.tokens);
    for (const token of state.tokens) {
      if (token.children === null) continue;
      token.children = replaceLinks(
        token.children,
        page,
        (type) => new state.Token(type, type === 'text' ? '' : 'code', 0),
      );
    }
  });
};
