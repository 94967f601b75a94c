import { FinishReason } from '@google/genai';
import { expect, it } from 'vitest';
import { decodeFinish, encodeFinish } from '../../../../../plugins/dialects/gemini/answer/finish-reasons.ts';

const known = Object.values(FinishReason).filter((reason) => reason !== FinishReason.FINISH_REASON_UNSPECIFIED);

it.each(known)('%s, a finish reason of the official client, is sent to Gemini clients unchanged', (raw) => {
  expect(encodeFinish(decodeFinish(raw, undefined, false))).toEqual({ finishReason: raw });
});

it.each([
  ['ESCALATION', 'content-filter'],
  ['PUP_LIMITED_DISABLED', 'content-filter'],
  ['CONTINUATION', 'length'],
  ['TO_COME', 'other'],
])('reads the finish reason %s as %s', (raw, reason) => {
  expect(decodeFinish(raw, undefined, false).reason).toBe(reason);
});
