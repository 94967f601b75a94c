import type { Answer } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { encodeOutput } from './encode-output.ts';
import { encodeFinish } from './finish-reasons.ts';
import { ItemIds } from './item-ids.ts';
import { constantMembers, type ResponseState, stateMembers } from './response-object.ts';

const mayBeCut: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call']);

/** Marks the last item as incomplete, because it was being written when the answer was cut off. */
const cutOff = (items: readonly JsonObject[]): readonly JsonObject[] =>
  items.map((item, index) =>
    index === items.length - 1 && mayBeCut.has(item.type) ? { ...item, status: 'incomplete' } : item,
  );

/**
 * https://platform.openai.com/docs/api-reference/responses/object. The format has only one answer, so the first choice is
 * written.
 */
export const encodeAnswer = (answer: Answer, options: EncodeAnswer): JsonObject => {
  const [choice] = answer.choices;
  const id = answer.id === '' ? (options.id ?? 'gw-response') : answer.id;
  const head = { id, model: answer.model, created: answer.created ?? options.created ?? 0 };
  const reason = encodeFinish(choice?.finish ?? { reason: 'stop' });
  const output = encodeOutput(choice?.parts ?? [], new ItemIds(id));
  options.remember?.(output);
  const state: ResponseState = {
    status: reason === undefined ? 'completed' : 'incomplete',
    output: reason === undefined ? output : cutOff(output),
    reason,
    usage: answer.usage,
  };
  return { ...constantMembers(options.request?.()), ...answer.extensions.responses, ...stateMembers(head, state) };
};
