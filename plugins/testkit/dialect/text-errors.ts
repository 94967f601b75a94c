import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Conversation, Part, Turn } from '../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { fromPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { ConversationCodec, Dialect, TextSpan } from '../../sdk/dialect/dialect.ts';
import { attempt } from '../errors/attempt.ts';
import { textAnswer } from '../samples/sample-answers.ts';
import { plainConversation } from '../samples/sample-conversations.ts';
import { here, readRequest, target, writtenAnswer, writtenRequest } from './codec-kit.ts';

const say = (text: string): Part => ({ kind: 'text', text });
const user = (text: string): Turn => ({ role: 'user', parts: [say(text)] });
const model = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const call = (text: string): Part => ({ kind: 'tool-call', id: 'call_1', name: 'weather', arguments: text });
const result = (text: string): Turn => ({
  role: 'tool',
  parts: [{ kind: 'tool-result', id: 'call_1', parts: [{ kind: 'text', text }] }],
});

/** The word that checks look for in the kit's samples, also in JSON with an escape that hides it. */
const word = 'Judged';
const escaped = '{"at":"\\u004audged"}';

const asking = (...turns: readonly Turn[]): Conversation => ({ ...plainConversation, turns });

const judged: Readonly<Record<string, Conversation>> = {
  'the last turn': asking(user('Hi.'), model(say('Hm.')), user(word)),
  'a tool result': asking(user('Hi.'), model(call('{}')), result(word)),
  'a turn after a tool result': asking(user('Hi.'), model(call('{}')), result('Sunny.'), user(word)),
  "the model's turn at the end": asking(user('Hi.'), model(say(word))),
  'the arguments of a call at the end': asking(user('Hi.'), model(call(escaped))),
};

const unjudged: Readonly<Record<string, Conversation>> = {
  'the instructions': { ...asking(user('Hi.')), system: [{ kind: 'text', text: word }] },
  'an earlier turn': asking(user(word), model(say('Hm.')), user('Hi.')),
};

const saying = (...parts: readonly Part[]): Answer => ({
  ...textAnswer(''),
  choices: [{ index: 0, parts, finish: { reason: 'stop' } }],
});

const said: Readonly<Record<string, Answer>> = {
  'the text of an answer': saying(say('Hi.'), say(word)),
  'a refusal': saying({ kind: 'refusal', text: word }),
  'the reasoning of an answer': saying({ kind: 'reasoning', text: word }, say('Hi.')),
  'the arguments of a call': saying(call(escaped)),
  'another choice': {
    ...textAnswer('Hi.'),
    choices: ['Hi.', word].map((text, index) => ({ index, parts: [say(text)], finish: { reason: 'stop' } })),
  },
};

type Texts = NonNullable<Dialect['texts']>;

const finds = (spans: readonly TextSpan[] | undefined): boolean =>
  spans?.some(({ text }) => text.includes(word)) === true;

const isPlace = (body: JsonObject, { at }: TextSpan): boolean => {
  let value: Json | undefined = body;
  for (const token of fromPointer(at)) {
    const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, token) : undefined;
    if (inner === undefined) return false;
    value = inner as Json;
  }
  return true;
};

const readPlaces = (name: string, body: JsonObject, spans: readonly TextSpan[] | undefined): readonly string[] =>
  (spans ?? [])
    .filter((span) => !isPlace(body, span))
    .map(({ at }) => `texts returns a text of ${name} at "${at}", which does not exist`);

/** Whether the texts read from a body contain the word, plain or escaped. */
const hasWord = (read: object): boolean => /Judged|u004audged/.test(JSON.stringify(read));

const requestErrors = (texts: Texts, codec: ConversationCodec): readonly string[] => [
  ...Object.entries(judged).flatMap(([name, conversation]) =>
    attempt(`texts of ${name}`, () => {
      const body = writtenRequest(codec, conversation);
      const spans = texts(body, 'input');
      const isMissing = hasWord(readRequest(codec, body, conversation)) && !finds(spans);
      return [...(isMissing ? [`texts does not find ${name}`] : []), ...readPlaces(name, body, spans)];
    }),
  ),
  ...Object.entries(unjudged).flatMap(([name, conversation]) =>
    attempt(`texts of ${name}`, () =>
      finds(texts(writtenRequest(codec, conversation), 'input')) ? [`texts must leave out ${name}`] : [],
    ),
  ),
];

const answerErrors = (texts: Texts, codec: ConversationCodec): readonly string[] =>
  Object.entries(said).flatMap(([name, answer]) =>
    attempt(`texts of ${name}`, () => {
      const body = writtenAnswer(codec, answer);
      const spans = texts(body, 'output');
      const isMissing = hasWord(codec.decodeAnswer(body, { ...here, model: answer.model })) && !finds(spans);
      return [...(isMissing ? [`texts does not find ${name}`] : []), ...readPlaces(name, body, spans)];
    }),
  );

const image: Conversation = asking({
  role: 'user',
  parts: [{ kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
});

/** A turn with only an image, if the format has images. */
const imageErrors = (texts: Texts, codec: ConversationCodec): readonly string[] =>
  attempt('texts of an image', () => {
    if (codec.encodeRequest(image, target).lost.length > 0) return [];
    const spans = texts(writtenRequest(codec, image), 'input');
    return spans?.length === 0 ? ['texts must be undefined for a turn that has only an image'] : [];
  });

/** Inputs that may be sent, and on which reading must not fail. */
const oddities: readonly JsonObject[] = [
  {},
  { messages: 'a', contents: 'a', input: 7, prompt: [1] },
  { messages: [null, 1, { content: [null, { text: 1 }] }], contents: [{ parts: [null] }], choices: [null] },
];

const oddErrors = (texts: Texts): readonly string[] =>
  oddities.flatMap((body) =>
    (['input', 'output'] as const satisfies readonly CheckPhase[]).flatMap((phase) =>
      attempt(`texts of ${JSON.stringify(body)}`, () => {
        const spans = texts(body, phase);
        return spans === undefined || Array.isArray(spans) ? [] : [`texts of ${JSON.stringify(body)} is not a list`];
      }),
    ),
  );

/**
 * Returns the errors in the texts that checks judge: they must contain everything that `decodeRequest` and `decodeAnswer` read.
 */
export const textErrors = ({ texts, conversation: codec }: Dialect): readonly string[] => {
  if (texts === undefined)
    return codec === undefined
      ? []
      : ['it has conversations, but no texts: checks that may deny would deny all of them'];
  if (codec === undefined) return oddErrors(texts);
  return [
    ...oddErrors(texts),
    ...requestErrors(texts, codec),
    ...imageErrors(texts, codec),
    ...answerErrors(texts, codec),
  ];
};
