import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { dearestLawRuns, slowLawMs } from '../../support/run/law-runs.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
} from './support/codecs.ts';
import { toEvents, toFrames, toText } from './support/frames.ts';
import { chatProvider } from './support/providers/chat-provider.ts';
import { cohereProvider } from './support/providers/cohere-provider.ts';
import { converseProvider } from './support/providers/converse-provider.ts';
import { geminiProvider } from './support/providers/gemini-provider.ts';
import { messagesProvider } from './support/providers/messages-provider.ts';
import { responsesProvider } from './support/providers/responses-provider.ts';
import { scriptsOf } from './support/providers/script.ts';

type Reader = (stream: string) => Promise<object>;

/** Returns a fetch function through which a vendor's library receives the stream. */
const gives =
  (stream: string): typeof fetch =>
  async () =>
    new Response(stream, { headers: { 'content-type': 'text/event-stream' } });

const openai = (stream: string): OpenAI => new OpenAI({ apiKey: 'k', fetch: gives(stream), maxRetries: 0 });

/** Adds the counts with which a messages stream starts. The gateway estimates them if its provider has reported none yet. */
const counted = (stream: string): string =>
  stream.replace(
    '"content":[],"stop_reason":null,"stop_sequence":null}',
    '"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}',
  );

/** Readers that join a stream into a whole answer with the vendors' own libraries. */
const chatReader: Reader = (stream) =>
  openai(stream)
    .chat.completions.stream({ model: 'm', messages: [], stream_options: { include_usage: true } })
    .finalChatCompletion();
const responsesReader: Reader = (stream) => openai(stream).responses.stream({ model: 'm', input: '' }).finalResponse();
const messagesReader: Reader = (stream) =>
  new Anthropic({ apiKey: 'k', fetch: gives(counted(stream)), maxRetries: 0 }).messages
    .stream({ model: 'm', max_tokens: 9, messages: [] })
    .finalMessage();

interface Dialect {
  readonly id: string;
  readonly codec: ConversationCodec;
  /** Absent if no library joins the frames. */
  readonly read?: Reader;
  /** Whether the parts of whole answers have a single order, and not one for each kind. */
  readonly isOrdered: boolean;
}

const clients: readonly Dialect[] = [
  { id: 'chat', codec: chatCodec, read: chatReader, isOrdered: false },
  { id: 'messages', codec: messagesCodec, read: messagesReader, isOrdered: true },
  { id: 'responses', codec: responsesCodec, read: responsesReader, isOrdered: true },
  { id: 'gemini', codec: geminiCodec, isOrdered: true },
  { id: 'converse', codec: converseCodec, isOrdered: true },
  { id: 'cohere', codec: cohereCodec, isOrdered: false },
];

const providers = [
  { id: 'chat', codec: chatCodec, provider: chatProvider, isOrdered: false },
  { id: 'messages', codec: messagesCodec, provider: messagesProvider, isOrdered: true },
  { id: 'responses', codec: responsesCodec, provider: responsesProvider, isOrdered: true },
  { id: 'gemini', codec: geminiCodec, provider: geminiProvider, isOrdered: true },
  { id: 'converse', codec: converseCodec, provider: converseProvider, isOrdered: true },
  { id: 'cohere', codec: cohereCodec, provider: cohereProvider, isOrdered: false },
];

const pairs = providers.flatMap((from) => clients.map((to) => ({ from, to, name: `${from.id} to ${to.id}` })));

const normal = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const toPart = (part: Part): object => {
  if (part.kind !== 'tool-call' || part.input === 'text') return part;
  return { ...part, arguments: normal(part.arguments === '' ? '{}' : part.arguments) };
};

/** Joins adjacent parts of the same kind, because a stream may start more blocks. Citations lose their original part. */
const joined = (parts: readonly Part[]): readonly object[] => {
  const kept: Part[] = [];
  for (const part of parts) {
    const last = kept.at(-1);
    if (part.kind === 'text' && part.text === '' && part.citations === undefined) continue;
    if (part.kind === 'text' && last?.kind === 'text') {
      const citations = [...(last.citations ?? []), ...(part.citations ?? [])];
      kept[kept.length - 1] = { ...last, text: last.text + part.text, ...(citations.length > 0 ? { citations } : {}) };
    } else if (part.kind === 'reasoning' && last?.kind === 'reasoning' && last.bound === undefined && !part.bound) {
      const summary = [...(last.summary ?? []), ...(part.summary ?? [])];
      kept[kept.length - 1] = { ...last, text: last.text + part.text, ...(summary.length > 0 ? { summary } : {}) };
    } else kept.push(part);
  }
  return kept.map(toPart);
};

const withoutSpans = (part: Part): Part =>
  part.kind === 'text' && part.citations !== undefined
    ? { ...part, citations: part.citations.map(({ span: _, ...citation }) => citation) }
    : part;

/** Returns the kind of a part, by which parts without an order are sorted. */
const toName = (part: Part): string => `${part.kind} ${part.kind === 'reasoning' ? (part.bound?.kind ?? '') : ''}`;

/** Returns the content of an answer in its order, or sorted by kind. */
const toSaid = ({ choices, usage }: Answer, isOrdered: boolean): object => {
  const [{ parts, finish } = { parts: [], finish: undefined }] = choices;
  const ordered = isOrdered ? parts : parts.toSorted((a, b) => toName(a).localeCompare(toName(b))).map(withoutSpans);
  const { input, output } = usage ?? {};
  return { parts: joined(ordered), finish, input, output };
};

const overTheWire = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

describe.each(pairs)('a stream from $name', { timeout: slowLawMs }, ({ from, to }) => {
  it("has the content of the whole answer, even for the vendor's library, wherever it is split", async () => {
    const borders = fc.array(fc.nat(5000), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(scriptsOf(from.provider.kinds), borders, fc.boolean(), async (script, cuts, strict) => {
        const { whole, frames } = from.provider.write(script);
        const options = { ...answerOptions, strict };
        const encoder = to.codec.streamEncoder(options);
        const events = toEvents(from.codec.streamDecoder(here), toFrames(toText(frames), cuts));
        const stream = toText([...events.flatMap((event) => encoder.push(event)), ...encoder.end()]);
        const isOrdered = from.isOrdered && to.isOrdered;
        const read = (answer: object): object => toSaid(to.codec.decodeAnswer(overTheWire(answer), here), isOrdered);
        const expected = read(answerVia(from.codec, to.codec, overTheWire(whole), options));
        expect(toSaid(foldAnswer(toEvents(to.codec.streamDecoder(here), toFrames(stream))), isOrdered)).toEqual(
          expected,
        );
        // OpenAI's library does not join members that chat answers have in addition to their format.
        const isKnown = to.id !== 'chat' || (strict && !script.said.some(({ kind }) => kind === 'image'));
        if (to.read !== undefined && isKnown) expect(read(await to.read(stream))).toEqual(expected);
      }),
      dearestLawRuns,
    );
  });
});
