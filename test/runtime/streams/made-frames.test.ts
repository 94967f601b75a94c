import { expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../plugins/dialects/responses/responses.ts';
import type { AnswerCodec, Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { sse } from '../../../plugins/sdk/framings/sse.ts';
import { openStream } from '../../../runtime/streams/stream-gate.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { answerOptions } from '../../plugins/dialects/support/codecs.ts';
import { cancelSource, manualClock, recordingSink, scriptedBody } from './kit.ts';

const toCodec = (dialect: Dialect): AnswerCodec => {
  const codec = findAnswerCodec(dialect);
  if (codec === undefined) throw new Error(`The answers of ${dialect.id} cannot be read.`);
  return codec;
};

/** Returns an answer with a word after this many texts. */
const saying = (word: string, texts: number): readonly AnswerEvent[] => [
  { kind: 'start', id: 'gw-1', model: 'm' },
  ...Array.from({ length: texts }, (): AnswerEvent => ({ kind: 'text', choice: 0, block: 0, text: 'so ' })),
  { kind: 'text', choice: 0, block: 0, text: word },
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'end' },
];

const written = (dialect: Dialect, events: readonly AnswerEvent[]): string => {
  const encoder = toCodec(dialect).streamEncoder(answerOptions);
  return sse
    .createWriter()
    .write(events.flatMap((event) => encoder.push(event)))
    .toString();
};

const softened = (event: AnswerEvent): AnswerEvent =>
  event.kind === 'text' && event.text === 'damn' ? { ...event, text: 'darn' } : event;

const dialects = [chat, messages, responses];
const counts = [0, 1, 1000, 1022, 1023, 1024, 1025, 3000];

it.each(dialects.flatMap((dialect) => counts.map((texts) => ({ dialect, texts, id: dialect.id }))))(
  'what a stage created continues after the $texts texts that were sent as received, in $id',
  async ({ dialect, texts }) => {
    const codec = toCodec(dialect);
    const body = scriptedBody();
    const opened = openStream({
      body,
      translation: {
        upstream: dialect,
        client: dialect,
        staging: {
          decoder: codec.streamDecoder({ scope: 'here' }),
          encoder: codec.streamEncoder(answerOptions),
          stages: [
            {
              reads: ['text'],
              holds: { chars: 4 },
              push: (event) =>
                softened(event) === event ? { do: 'release' } : { do: 'replace', events: [softened(event)] },
              end: () => ({ do: 'release' }),
            },
          ],
        },
      },
      clock: manualClock(),
      idleMs: 1000,
      cancellation: cancelSource(),
    });
    body.send(written(dialect, saying('damn', texts)));
    body.end();
    const stream = await opened;
    if (stream.kind === 'refused') throw new Error(stream.error.message);
    const sink = recordingSink();
    stream.body.start(sink);
    await sink.ended;
    expect(sink.text).toBe(written(dialect, saying('darn', texts)));
  },
);
