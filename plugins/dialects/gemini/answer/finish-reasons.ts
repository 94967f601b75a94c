import type { Finish, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../../shared/json/defined.ts';

/** https://ai.google.dev/api/generate-content#FinishReason */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  // A limit of the provider's own, after which its clients may request the rest.
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['ESCALATION', 'content-filter'],
  ['PUP_LIMITED_DISABLED', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'malformed-call'],
  ['UNEXPECTED_TOOL_CALL', 'malformed-call'],
  ['OTHER', 'other'],
  ['IMAGE_OTHER', 'other'],
  ['NO_IMAGE', 'other'],
  ['TOO_MANY_TOOL_CALLS', 'other'],
  ['MISSING_THOUGHT_SIGNATURE', 'other'],
  ['MALFORMED_RESPONSE', 'other'],
]);

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  // The format has no reason of its own for calls.
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
  pause: 'OTHER',
  'context-window': 'MAX_TOKENS',
  compaction: 'OTHER',
  'malformed-call': 'MALFORMED_FUNCTION_CALL',
  'blocked-prompt': 'PROHIBITED_CONTENT',
  other: 'OTHER',
};

const toReason = (raw: string, hasCalls: boolean): FinishReason => {
  const reason = reasons.get(raw) ?? 'other';
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason;
};

/** Decodes a finish reason. An answer without a reason ended normally. */
export const decodeFinish = (raw: string | undefined, details: string | undefined, hasCalls: boolean): Finish =>
  defined({ reason: toReason(raw ?? 'STOP', hasCalls), raw, details });

/** Returns the value as received, if it is one of this format. */
export const encodeFinish = ({ reason, raw, details }: Finish): { finishReason: string; finishMessage?: string } =>
  defined({
    finishReason: raw !== undefined && reasons.get(raw) === reason ? raw : words[reason],
    finishMessage: details,
  });

/** https://ai.google.dev/api/generate-content#BlockReason */
const blockReasons: ReadonlySet<string> = new Set([
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
  'JAILBREAK',
]);

/** Returns the `promptFeedback` of a prompt that was refused. */
export const encodeBlock = ({ raw, details }: Finish): { blockReason: string; blockReasonMessage?: string } =>
  defined({ blockReason: raw !== undefined && blockReasons.has(raw) ? raw : 'OTHER', blockReasonMessage: details });

/** Returns the finish reasons of an answer's candidates, in the provider's words. Candidates that have not ended are omitted. */
export const readFinishReasons = ({ candidates }: JsonObject): readonly string[] =>
  toObjects(candidates).flatMap(({ finishReason: raw }) => findText(raw) ?? []);
