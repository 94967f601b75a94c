/**
 * The reasoning of a message or of a delta. OpenAI's format has none: compatible providers have `reasoning_content`, and
 * the gateway has `content_blocks` for clients that are not strict.
 */
export const chatReasoning = (from: object): string => {
  if ('reasoning_content' in from && typeof from.reasoning_content === 'string') return from.reasoning_content;
  const blocks: unknown = 'content_blocks' in from ? from.content_blocks : undefined;
  return Array.isArray(blocks) ? blocks.map(thinkingOf).join('') : '';
};

const thinkingOf = (block: unknown): string => {
  if (typeof block !== 'object' || block === null) return '';
  if ('delta' in block) return thinkingOf(block.delta);
  return 'thinking' in block && typeof block.thinking === 'string' ? block.thinking : '';
};
