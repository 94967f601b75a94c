import type { Tool, ToolChoice } from '../../../../schema/conversation/conversation.ts';

/** Returns the names of the custom tools. */
export const customNames = (tools: readonly Tool[]): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])));

/**
 * Returns the names of the tools that may be called, for a format whose choices cannot list them. Returns undefined if the choice
 * does not limit the tools that are sent: it has no list, or it forbids every call.
 */
export const allowedNames = (choice: ToolChoice | undefined): ReadonlySet<string> | undefined =>
  choice?.allowed === undefined || choice.mode === 'none' || choice.mode === 'tool'
    ? undefined
    : new Set(choice.allowed);
