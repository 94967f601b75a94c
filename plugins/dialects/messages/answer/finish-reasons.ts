import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

/** https://docs.anthropic.com/en/api/handling-stop-reasons */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context-window'],
  ['compaction', 'compaction'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
]);

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  // `refusal` means that a classifier of the provider stopped the answer.
  'content-filter': 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  'context-window': 'model_context_window_exceeded',
  compaction: 'compaction',
  'malformed-call': 'end_turn',
  'blocked-prompt': 'refusal',
  other: 'end_turn',
};

/** The members that describe how an answer ended. */
export interface WireFinish {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly stop_details?: JsonObject;
}

/** Whether the details of a refusal consist only of their explanation. */
export const isPlain = ({ type, category, explanation, ...more }: JsonObject): boolean =>
  type === 'refusal' && category === null && typeof explanation === 'string' && Object.keys(more).length === 0;

/** Decodes the finish of a message, or of a stream's last delta. */
export const decodeFinish = (wire: JsonObject): Finish => {
  const raw = findText(wire.stop_reason);
  const details = findObject(wire.stop_details);
  return defined({
    reason: raw === undefined ? ('stop' as const) : (reasons.get(raw) ?? 'other'),
    details: findText(details?.explanation) ?? findText(details?.category),
    raw,
    stopSequence: findText(wire.stop_sequence),
  });
};

/**
 * Encodes a finish. `refused` is whether the answer contains a refusal, which is a finish reason here and a kind of text
 * elsewhere. Only a refusal has details.
 */
export const encodeFinish = ({ reason, details, stopSequence }: Finish, refused: boolean): WireFinish => {
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  const stopReason = refused && reason === 'stop' ? words.refusal : words[reason];
  const finish = { stop_reason: stopReason, stop_sequence: null };
  if (details === undefined || stopReason !== words.refusal) return finish;
  return { ...finish, stop_details: { type: 'refusal', category: null, explanation: details } };
};

/** Returns the finish reason, in the provider's words, of a whole message or of the stream event that reports it. */
export const readFinishReasons = (wire: JsonObject): readonly string[] =>
  [findText(wire.stop_reason) ?? findText(findObject(wire.delta)?.stop_reason) ?? []].flat();
