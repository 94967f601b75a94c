import { expect, it } from 'vitest';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { SseSplitter } from '../../../plugins/sdk/framings/sse.ts';
import type { Staging, StreamTranslation } from '../../../runtime/streams/create-relay.ts';
import { openStream } from '../../../runtime/streams/stream-gate.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { answerOptions } from '../../plugins/dialects/support/codecs.ts';
import { cancelSource, manualClock, recordingSink, scriptedBody } from './kit.ts';

const numbered = (type: string, sequence_number: number, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...members })}\n\n`;
const said = (number: number, delta = 'so '): string =>
  numbered('response.output_text.delta', number, { item_id: 'm', output_index: 0, content_index: 0, delta });
const created = numbered('response.created', 0, { response: { id: 'r', model: 'm', status: 'in_progress' } });
const long = 'x'.repeat(5000);

const staging = (): Staging => {
  const codec = findAnswerCodec(responses) ?? expect.unreachable();
  return {
    decoder: codec.streamDecoder({ scope: 'here' }),
    encoder: codec.streamEncoder(answerOptions),
    stages: [{ reads: ['text'], holds: { chars: 4 }, push: () => ({ do: 'release' }), end: () => ({ do: 'release' }) }],
  };
};

/** Returns the number of the error that follows these chunks when their upstream is cut off. */
const numberOfError = async (translation: Partial<StreamTranslation>, chunks: readonly string[]): Promise<unknown> => {
  const body = scriptedBody();
  const opening = openStream({
    body,
    translation: { upstream: responses, client: responses, ...translation },
    clock: manualClock(),
    idleMs: 1000,
    cancellation: cancelSource(),
  });
  for (const chunk of chunks) body.send(chunk);
  body.cut();
  const opened = await opening;
  if (opened.kind === 'refused') return expect.unreachable(opened.error.message);
  const sink = recordingSink();
  opened.body.start(sink);
  await sink.ended;
  const last = new SseSplitter().push(sink.bytes).frames.at(-1);
  expect(last?.event).toBe('error');
  return parseObject(last?.data ?? '')?.sequence_number;
};

it.each<[string, readonly string[], number]>([
  ['chunks of complete frames', [created, said(4), said(5), said(6)], 7],
  ['several frames in each chunk', [created + said(4), said(5) + said(6)], 7],
  ['a large chunk', [created, said(4), said(5, long) + said(6, long)], 7],
  ['frames in several chunks', [created, said(4).slice(0, 20), said(4).slice(20)], 5],
  ['a frame that is cut off', [created, said(4), said(5), said(6).slice(0, -3)], 6],
  ['a frame with the mark of an error', [created, said(4), said(5, 'an "error"')], 6],
  ['a comment', [created, said(4), ': waiting\n\n'], 5],
  ['frames without a number', [created, said(4).replace('"sequence_number":4,', '')], 0],
])('the error of a cut stream of numbered events continues after %s', async (_what, chunks, number) => {
  expect(await numberOfError({}, chunks)).toBe(number);
  expect(await numberOfError({ staging: staging() }, chunks)).toBe(number);
});

it('the error of a cut stream of numbered events continues after those of another framing', async () => {
  const lines = [created, said(4), said(5)].map((event) => event.replace(/^event: .*\ndata: /, '').trimEnd());
  const chunks = lines.map((line) => `${line}\n`);
  expect(await numberOfError({ from: framings.ndjson }, chunks)).toBe(6);
});
