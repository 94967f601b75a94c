import type { ToolChoice } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../json/defined.ts';
import type { Member } from '../json/member.ts';
import type { Lost } from './lost.ts';

/** A tool choice, except whether tools may be called in parallel. */
export type ChosenTools = Omit<ToolChoice, 'parallel'>;

const decodeMode = (choice: Member, decodeObject: (choice: Member) => ChosenTools): ChosenTools => {
  if (typeof choice.value !== 'string') return decodeObject(choice);
  if (choice.value === 'auto' || choice.value === 'none' || choice.value === 'required') return { mode: choice.value };
  // Mistral's word, which its client sends: https://docs.mistral.ai/capabilities/function_calling
  if (choice.value === 'any') return { mode: 'required' };
  return choice.fail('must be "auto", "none", "required" or an object');
};

/**
 * Reads `tool_choice` with `parallel_tool_calls`, which is a separate member in OpenAI's formats. Returns undefined if both are
 * absent. `decodeObject` reads a choice that is more than a mode.
 */
export const decodeToolChoice = (
  wire: Member,
  decodeObject: (choice: Member) => ChosenTools,
): ToolChoice | undefined => {
  const choice = wire.at('tool_choice');
  const parallel = wire.at('parallel_tool_calls').maybeBoolean();
  if (choice.absent && parallel === undefined) return undefined;
  return defined({ ...(choice.absent ? { mode: 'auto' as const } : decodeMode(choice, decodeObject)), parallel });
};

/** Returns the members of a request for its tools and the tool choice, which OpenAI's API rejects if there is no tool. */
export const toolMembers = (
  tools: readonly JsonObject[],
  choice: ToolChoice | undefined,
  { lost, encode }: { readonly lost: Lost; encode(choice: ToolChoice): Json },
): JsonObject => {
  if (tools.length === 0) {
    if (choice !== undefined) lost.push('toolChoice');
    return {};
  }
  return defined({
    tools,
    tool_choice: choice === undefined ? undefined : encode(choice),
    parallel_tool_calls: choice?.parallel,
  });
};
