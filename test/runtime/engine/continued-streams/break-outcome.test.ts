import { expect, it } from 'vitest';
import { breakOutcome } from '../../../../runtime/engine/continued-streams/break-outcome.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';

it('treats a stream that breaks as the answer that it would have been for the triggers of a fallback', () => {
  const cut = { status: 502, origin: 'network' };
  const streamError = (status: number) => ({ ...errorReport('stream-cut', {}), code: 'stream-error', status }) as const;
  expect(breakOutcome(errorReport('stream-cut', {}))).toEqual(cut);
  expect(breakOutcome(errorReport('unreadable-answer', { provider: 'p', reason: 'It is.' }))).toEqual(cut);
  expect(breakOutcome(errorReport('stream-idle', { ms: 1 }))).toEqual({ status: 408, origin: 'timeout' });
  expect([499, 500, 529].map((status) => breakOutcome(streamError(status)))).toEqual([undefined, cut, cut]);
  expect(breakOutcome(errorReport('checks-failed', { phase: 'answer' }))).toBeUndefined();
});
