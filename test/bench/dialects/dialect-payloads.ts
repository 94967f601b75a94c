import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Dialect, EncodeAnswer } from '../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { contentMark, streamEvents } from '../harness/payloads.ts';

/** The same request, answer and stream in each dialect for conversations. */
export interface DialectPayloads {
  readonly id: string;
  /** The path and body of a client's request. */
  request(stream: boolean): { readonly path: string; readonly body: string };
  /** A provider's answer: its body, or the bytes of a stream, piece by piece. */
  readonly whole: string;
  readonly pieces: readonly Buffer[];
  readonly streamType: string;
}

const model = 'bench-model';
const text = 'The stone bridge of 1896 joins both halves of the old town. '.repeat(12);
const usage = { input: 180, output: 160 };

const conversation = (stream: boolean): Conversation => ({
  model,
  system: [{ kind: 'text', text: 'You answer questions about bridges in two sentences, with the year they opened.' }],
  turns: [
    {
      role: 'user',
      parts: [{ kind: 'text', text: 'Which bridge joins the two halves of the old town? '.repeat(12) }],
    },
  ],
  tools: [],
  sampling: { temperature: 0.2, maxTokens: 300 },
  stream,
  extensions: {},
});

const answer: Answer = {
  id: 'bench-1',
  model,
  created: 1_790_000_000,
  choices: [{ index: 0, parts: [{ kind: 'text', text }], finish: { reason: 'stop' } }],
  usage,
  extensions: {},
};

const events: readonly AnswerEvent[] = [
  { kind: 'start', id: 'bench-1', model, created: 1_790_000_000, usage },
  ...Array.from(
    { length: streamEvents - 2 },
    (): AnswerEvent => ({ kind: 'text', choice: 0, block: 0, text: contentMark }),
  ),
  { kind: 'block-end', choice: 0, block: 0 },
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'usage', usage },
  { kind: 'end' },
];

const options: EncodeAnswer = { provider: 'bench', strict: true, streamUsage: false, created: 1_790_000_000 };
const target = { provider: 'bench', strict: true, drop: new Set<string>(), scope: 'bench' };

const toPath = ({ routes = [] }: Dialect, stream: boolean): string => {
  const route = routes.find((each) => each.stream === undefined || each.stream === stream);
  const path = (route?.path ?? '/').replace('{model}', model);
  const isRooted = /^\/v\d/.test(path);
  return `${isRooted ? '' : '/v1'}${path}${path.includes('streamGenerate') ? '?alt=sse' : ''}`;
};

const toPayloads = (dialect: Dialect, codec: ConversationCodec): DialectPayloads => {
  const framing = framings[dialect.framing ?? 'sse'];
  const writer = framing.createWriter();
  const encoder = codec.streamEncoder(options);
  const pieces = events.flatMap((event) => {
    const frames = encoder.push(event);
    return frames.length === 0 ? [] : [writer.write(frames)];
  });
  return {
    id: dialect.id,
    request: (stream) => ({
      path: toPath(dialect, stream),
      body: JSON.stringify(codec.encodeRequest(conversation(stream), target).body),
    }),
    whole: JSON.stringify(codec.encodeAnswer(answer, options)),
    pieces: [...pieces, writer.end()].filter(({ length }) => length > 0),
    streamType: framing.contentType,
  };
};

/** In the order of the table. */
export const dialectPayloads: readonly DialectPayloads[] = builtinDialects.flatMap((dialect) =>
  dialect.conversation === undefined ? [] : [toPayloads(dialect, dialect.conversation)],
);
