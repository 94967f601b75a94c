import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';

/** https://docs.cohere.com/reference/chat#response.body.finish_reason */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool-calls'],
]);

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
  'content-filter': 'COMPLETE',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
  'context-window': 'MAX_TOKENS',
  compaction: 'COMPLETE',
  'malformed-call': 'COMPLETE',
  'blocked-prompt': 'COMPLETE',
  other: 'COMPLETE',
};

/** Whether the reason means that the provider failed. The answer is then incomplete, whatever it contains so far. */
export const isFailure = (raw: string | undefined): boolean => raw === 'ERROR' || raw === 'TIMEOUT';

/** Whether the `delta` of the event that ends a stream reports a failure. An empty `error` is none. */
export const hasFailed = ({ error, finish_reason }: JsonObject): boolean =>
  (findText(error) ?? '') !== '' || isFailure(findText(finish_reason));

export const decodeFinish = (raw: string | undefined): Finish =>
  raw === undefined ? { reason: 'stop' } : { reason: reasons.get(raw) ?? 'other', raw };

export const encodeFinish = ({ reason, raw, stopSequence }: Finish): string => {
  if (stopSequence !== undefined) return 'STOP_SEQUENCE';
  return raw !== undefined && reasons.get(raw) === reason ? raw : words[reason];
};

/** Returns the finish reason, in the provider's words, of a whole answer or of the event that ends a stream. */
export const readFinishReasons = (wire: JsonObject): readonly string[] =>
  [findText(wire.finish_reason) ?? findText(findObject(wire.delta)?.finish_reason) ?? []].flat();
