import type { Finish, FinishReason } from '../../../schema/conversation.ts';
import { defined } from '../wire/defined.ts';

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

/** The two members that say how an answer ended. */
export interface WireFinish {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

export const decodeFinish = (raw: string | undefined, stopSequence: string | undefined): Finish =>
  defined({ reason: raw === undefined ? ('stop' as const) : (reasons.get(raw) ?? 'other'), raw, stopSequence });

/** `refused`: the answer contains a refusal, which is a reason here and a kind of text elsewhere. */
export const encodeFinish = ({ reason, stopSequence }: Finish, refused: boolean): WireFinish => {
  if (stopSequence !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  return { stop_reason: refused && reason === 'stop' ? words.refusal : words[reason], stop_sequence: null };
};
