import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { ConversationCodec, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

const options = { provider: 'test', strict: true, streamUsage: false };
const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: 'test' };
const usage = { input: 1, output: 1 };

const toAnswer = (name: string): Answer => ({
  id: 'a',
  model: 'm',
  created: 1,
  choices: [
    {
      index: 0,
      parts: [{ kind: 'tool-call', id: 'call_1', name, arguments: '{"city":"Bern"}' }],
      finish: { reason: 'tool-calls' },
    },
  ],
  usage,
  extensions: {},
});

const toEvents = (name: string): readonly AnswerEvent[] => [
  { kind: 'start', id: 'a', model: 'm', created: 1 },
  { kind: 'tool-call', choice: 0, block: 0, id: 'call_1', name },
  { kind: 'tool-arguments', choice: 0, block: 0, text: '{"city":"Bern"}' },
  { kind: 'block-end', choice: 0, block: 0 },
  { kind: 'finish', choice: 0, finish: { reason: 'tool-calls' } },
  { kind: 'usage', usage },
  { kind: 'end' },
];

const offeredBy = (codec: ConversationCodec, name: string): JsonObject => {
  const empty = { system: [], turns: [], sampling: {}, stream: false, extensions: {} };
  const tool = { kind: 'function', name, parameters: { type: 'object' } } as const;
  const bare = codec.encodeRequest({ ...empty, tools: [] }, target).body;
  const { body } = codec.encodeRequest({ ...empty, tools: [tool] }, target);
  return Object.fromEntries(Object.entries(body).filter(([member]) => !Object.hasOwn(bare, member)));
};

const streamedBy = (codec: ConversationCodec, name: string): readonly Frame[] => {
  const encoder = codec.streamEncoder(options);
  return [...toEvents(name).flatMap((event) => encoder.push(event)), ...encoder.end()];
};

/** A tool as a dialect writes it: offered in a request, called in a whole answer, or called in the frames of a streamed one. */
export interface ToolWire {
  offered(name: string): JsonObject;
  called(name: string): JsonObject;
  streamed(name: string): readonly Frame[];
}

/** The tool forms of a dialect; undefined if it has none. */
export const toolWire = (dialect: string): ToolWire | undefined => {
  const known = builtinDialects.find(({ id }) => id === dialect);
  const codec = known?.operation === 'converse' ? known.conversation : undefined;
  return (
    codec && {
      offered: (name) => offeredBy(codec, name),
      called: (name) => codec.encodeAnswer(toAnswer(name), options),
      streamed: (name) => streamedBy(codec, name),
    }
  );
};
