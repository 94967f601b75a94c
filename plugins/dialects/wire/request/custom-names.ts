import type { Tool } from '../../../../schema/conversation/conversation.ts';

/** Returns the names of the custom tools. */
export const customNames = (tools: readonly Tool[]): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])));
