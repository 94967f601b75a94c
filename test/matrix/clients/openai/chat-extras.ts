/** What compatible vendors add to a message or delta of OpenAI's format. */
export interface ChatExtras {
  readonly reasoning: string;
}

const readParts = (list: unknown): readonly object[] =>
  Array.isArray(list) ? list.filter((part): part is object => typeof part === 'object' && part !== null) : [];

const toText = (from: object, name: string): string => {
  const value: unknown = Object.entries(from).find(([key]) => key === name)?.[1];
  return typeof value === 'string'
    ? value
    : readParts(value)
        .map((part) => toText(part, 'text'))
        .join('');
};

/**
 * Returns the reasoning, for which OpenAI's format has no member: vendors use `reasoning_content` or `reasoning`, and the
 * gateway sends `content_blocks` to clients that are not strict.
 */
export const chatExtras = (from: object): ChatExtras => {
  const blocks = 'content_blocks' in from ? readParts(from.content_blocks) : [];
  const thinking = blocks.map((block) => ('delta' in block ? Object(block.delta) : block));
  return {
    reasoning: [
      toText(from, 'reasoning_content'),
      toText(from, 'reasoning'),
      ...thinking.map((part) => toText(part, 'thinking')),
    ].join(''),
  };
};
