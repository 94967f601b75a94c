import type { Tool } from '../../../../schema/conversation/conversation.ts';

/** The names of the custom tools. */
export const customNames = (tools: readonly Tool[]): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])));
