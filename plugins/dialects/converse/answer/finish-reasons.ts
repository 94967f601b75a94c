import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
  ['model_context_window_exceeded', 'context-window'],
  ['malformed_tool_use', 'malformed-call'],
  ['malformed_model_output', 'other'],
]);

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'content_filtered',
  refusal: 'content_filtered',
  pause: 'end_turn',
  'context-window': 'model_context_window_exceeded',
  compaction: 'end_turn',
  'malformed-call': 'malformed_tool_use',
  'blocked-prompt': 'content_filtered',
  other: 'end_turn',
};

/** The members that describe how an answer ended. The stop sequence is a field of the model, which a client must ask for. */
export interface WireFinish extends JsonObject {
  readonly stopReason: string;
}

export const decodeFinish = (raw: string | undefined, fields: JsonObject | undefined): Finish =>
  defined({
    reason: raw === undefined ? ('stop' as const) : (reasons.get(raw) ?? 'other'),
    raw,
    stopSequence: findText(fields?.stop_sequence),
  });

const toWord = ({ reason, raw, stopSequence }: Finish, refused: boolean): string => {
  if (stopSequence !== undefined) return 'stop_sequence';
  if (refused && reason === 'stop') return words.refusal;
  return raw !== undefined && reasons.get(raw) === reason ? raw : words[reason];
};

/**
 * Encodes a finish. `refused` is whether the answer contains a refusal, which is a finish reason here and a kind of text
 * elsewhere.
 */
export const encodeFinish = (finish: Finish, refused: boolean): WireFinish => {
  const { stopSequence } = finish;
  const stopReason = toWord(finish, refused);
  return stopSequence === undefined
    ? { stopReason }
    : { stopReason, additionalModelResponseFields: { stop_sequence: stopSequence } };
};

/** Returns the finish reason, in the provider's words, of a whole answer or of the stream event that reports it. */
export const readFinishReasons = ({ stopReason }: JsonObject): readonly string[] => [findText(stopReason) ?? []].flat();
