import type { MarkdownOptions } from 'vitepress';
import { isDownload } from './downloads.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

/** Turns empty header cells of a table into normal cells, because an empty header has no meaning. */
const unwrapEmptyHeaders = (tokens: readonly Token[]): void => {
  for (const [at, token] of tokens.entries()) {
    const close = tokens[at + 2];
    if (token.type !== 'th_open' || close === undefined || tokens[at + 1]?.content !== '') continue;
    token.tag = 'td';
    close.tag = 'td';
  }
};

/** Makes links to files of the site downloads. Otherwise VitePress takes a name such as `gatewright.service` for a page. */
const downloadFiles = (tokens: readonly Token[]): void => {
  for (const { children } of tokens)
    for (const token of children ?? [])
      if (token.type === 'link_open' && isDownload(token.attrGet('href') ?? '')) token.attrSet('download', '');
};

/** Shows a file name above its code block. Blocks have it after their language: `json configs/chat.json`. */
const nameFiles = (markdown: Markdown): void => {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, at, ...others) => {
    const [, file] = /^\w+ ([\w./-]+)$/.exec(tokens[at]?.info.trim() ?? '') ?? [];
    const shown = fence?.(tokens, at, ...others) ?? '';
    return file === undefined
      ? shown
      : `<p class="file-name"><code>${markdown.utils.escapeHtml(file)}</code></p>\n${shown}`;
  };
};

/** Adapts how pages are rendered: file names above blocks, empty header cells, and links to files. */
export const adaptMarkdown = (markdown: Markdown): void => {
  nameFiles(markdown);
  markdown.core.ruler.push('open-corners', (state) => unwrapEmptyHeaders(state.tokens));
  markdown.core.ruler.push('download-files', (state) => downloadFiles(state.tokens));
};
