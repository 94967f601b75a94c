import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';

const incomplete: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

/** A complete response has no reason of its own: whether it calls tools is seen in its output. */
export const decodeFinish = (response: JsonObject, hasCalls: boolean): Finish => {
  if (response.status !== 'incomplete') return { reason: hasCalls ? 'tool-calls' : 'stop' };
  const raw = findText(findObject(response.incomplete_details)?.reason);
  return raw === undefined ? { reason: 'other' } : { reason: incomplete.get(raw) ?? 'other', raw };
};

const words: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  'context-window': 'max_output_tokens',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  'blocked-prompt': 'content_filter',
};

/** Why a response is incomplete; undefined if it is complete. */
export const encodeFinish = ({ reason }: Finish): string | undefined => words[reason];

const ended: readonly unknown[] = ['completed', 'incomplete', 'failed', 'cancelled'];

/** Why a response has ended: the reason for which it is incomplete, or else its status; nothing while it goes on. */
export const readFinishReasons = (wire: JsonObject): readonly string[] => {
  const { status, incomplete_details: details } = findObject(wire.response) ?? wire;
  return ended.includes(status) ? [findText(findObject(details)?.reason) ?? findText(status) ?? []].flat() : [];
};
