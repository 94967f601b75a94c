import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';

const incomplete: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['max_messages', 'length'],
  ['content_filter', 'content-filter'],
]);

/** Decodes the finish. A complete response does not state a reason: its output shows whether it calls tools. */
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

/** Returns why a response is incomplete, or undefined if it is complete. */
export const encodeFinish = ({ reason }: Finish): string | undefined => words[reason];

const ended: readonly unknown[] = ['completed', 'incomplete', 'failed', 'cancelled'];

/**
 * Returns the finish reason of a response: the reason why it is incomplete, or else its status. Returns nothing while it
 * continues.
 */
export const readFinishReasons = (wire: JsonObject): readonly string[] => {
  const { status, incomplete_details: details } = findObject(wire.response) ?? wire;
  return ended.includes(status) ? [findText(findObject(details)?.reason) ?? findText(status) ?? []].flat() : [];
};
