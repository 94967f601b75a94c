import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

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

/** Adapts how pages are written: names of files above blocks, and corners of tables. */
export const adaptMarkdown = (markdown: Markdown): void => {
  nameFiles(markdown);
  markdown.core.ruler.push('open-corners', (state) => openCorners(state.tokens));
};
