import { describe, expect, it } from 'vitest';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { answerEvents } from '../../../plugins/dialects/support/answer-events.ts';
import { neverInWindows, pairs, runStream, toBytes, toFrames } from './kit.ts';

const secret = 'secret of env:key';
const answer = {
  id: 'a1',
  model: 'm',
  created: 1,
  choices: [
    {
      index: 0,
      parts: [{ kind: 'text' as const, text: 'It rains in Graz, as it did the day before. '.repeat(4) }],
      finish: { reason: 'stop' as const },
    },
  ],
  usage: { input: 1, output: 2 },
  extensions: {},
};
const report = errorReport('stream-error', { reason: `The key ${secret} has no credit.` });

const checks = { output_guardrails: [{ 'test.never': {}, deny: true }] };

describe.each(pairs)('an error within a stream of $name', ({ client, upstream }) => {
  it.each([
    ['if it is passed on', {}],
    ['if checks judge the stream', checks],
  ])('does not contain the key that the provider quotes in it %s', async (_, config) => {
    const events = answerEvents(answer, { size: 40 });
    const begun = events.slice(0, events.findLastIndex(({ kind }) => kind === 'text') + 1);
    const frames = [...toFrames(upstream, begun), upstream.encodeStreamError(report)];
    const {
      bytes,
      status,
      frames: received,
    } = await runStream({
      client,
      upstream,
      chunks: [toBytes(upstream, frames)],
      guardrails: [neverInWindows('plutonium')],
      config: { api_key: '${env:KEY}', ...config },
    });
    expect(status).toBe(200);
    // Frames of binary messages can be read, so their checksums are correct.
    expect(JSON.stringify(received)).toMatch(/The key \*+ has no credit|ended its stream with an error/);
    expect(bytes.toString('latin1')).not.toContain(secret);
  });
});
