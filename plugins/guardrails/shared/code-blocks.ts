/** A fenced block of Markdown. */
export interface CodeBlock {
  /** The first word after the fence; empty if there is none. */
  readonly mark: string;
  readonly code: string;
}

// A fence inside a list is indented, and one inside a quotation is marked.
const fence = /^[\s>]*(`{3,}|~{3,})[ \t]*([^\s`]*)/;

/**
 * The fenced code blocks of a text, as https://spec.commonmark.org/0.31.2/#fenced-code-blocks has them: a block without an
 * end runs to the end of the text, as in an answer that was cut. Takes time linear in the text.
 */
export const codeBlocks = (text: string): readonly CodeBlock[] => {
  const blocks: CodeBlock[] = [];
  let open: { readonly fence: string; readonly mark: string; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push({ mark: open.mark, code: open.lines.join('\n') });
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const [, marker = '', mark = ''] = fence.exec(line) ?? [];
    if (open === undefined) {
      if (marker !== '') open = { fence: marker, mark, lines: [] };
    } else if (marker.startsWith(open.fence) && mark === '') close();
    else open.lines.push(line);
  }
  close();
  return blocks;
};
