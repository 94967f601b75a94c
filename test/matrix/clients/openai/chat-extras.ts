/** What compatible vendors add to a message or a delta of OpenAI's format. */
export interface ChatExtras {
  readonly reasoning: string;
}

const partsOf = (list: unknown): readonly object[] =>
  Array.isArray(list) ? list.filter((part): part is object => typeof part === 'object' && part !== null) : [];

const textOf = (from: object, name: string): string => {
  const value: unknown = Object.entries(from).find(([key]) => key === name)?.[1];
  return typeof value === 'string'
    ? value
    : partsOf(value)
        .map((part) => textOf(part, 'text'))
        .join('');
};

/**
 * The reasoning, which OpenAI's format does not have: vendors have `reasoning_content` or `reasoning`, and the gateway has
 * `content_blocks` for clients that are not strict.
 */
export const chatExtras = (from: object): ChatExtras => {
  const blocks = 'content_blocks' in from ? partsOf(from.content_blocks) : [];
  const thinking = blocks.map((block) => ('delta' in block ? Object(block.delta) : block));
  return {
    reasoning: [
      textOf(from, 'reasoning_content'),
      textOf(from, 'reasoning'),
      ...thinking.map((part) => textOf(part, 'thinking')),
    ].join(''),
  };
};
