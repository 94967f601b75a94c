import type { ToolChoice } from '../../../../schema/conversation/conversation.ts';

/**
 * Returns the names of the tools that may be called, for a format whose choices cannot list them. Returns undefined if the choice
 * does not limit the tools that are sent: it has no list, or it forbids every call.
 */
export const toAllowed = (choice: ToolChoice | undefined): ReadonlySet<string> | undefined =>
  choice?.allowed === undefined || choice.mode === 'none' || choice.mode === 'tool'
    ? undefined
    : new Set(choice.allowed);
