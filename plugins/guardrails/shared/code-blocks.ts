/** A fenced code block of Markdown. */
export interface CodeBlock {
  /** The first word after the fence. Empty if there is none. */
  readonly mark: string;
  readonly code: string;
}

// Matches a fence, which is indented inside a list and marked inside a quotation.
const fence = /^[\s>]*(`{3,}|~{3,})[ \t]*([^\s`]*)/;

/**
 * Returns the fenced code blocks of a text, according to https://spec.commonmark.org/0.31.2/#fenced-code-blocks. A block without
 * an end extends to the end of the text, as in an answer that was cut off. Takes linear time.
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
