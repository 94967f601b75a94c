import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { responses } from '../../plugins/dialects/responses/responses.ts';
import { parseObject } from '../../plugins/dialects/wire/parse-json.ts';
import type { ConversationCodec, Dialect, EncodeAnswer, Frame } from '../../plugins/sdk/dialect.ts';
import type { AnswerChoice, Finish, Part } from '../../schema/conversation.ts';
import { foldAnswer } from '../../schema/fold-answer.ts';
import type { JsonObject } from '../../schema/json.ts';
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
  streamVia,
} from '../plugins/dialects/codecs.ts';
import { eventsOf, framesOf } from '../plugins/dialects/frames.ts';

/** Recorded traffic beside the repository; its files are not part of it. */
const recordings = new URL('../../../shared/fixtures/', import.meta.url);
const isThere = existsSync(recordings);

const speakers: readonly (readonly [Dialect, readonly string[]])[] = [
  [chat, ['deepseek', 'groq', 'mistral', 'openai-compatible']],
  [messages, ['anthropic']],
  [responses, ['openai', 'azure']],
  [cohere, ['cohere']],
  [converse, ['amazon-bedrock']],
  [gemini, ['google']],
];

interface Recording {
  readonly name: string;
  readonly dialect: Dialect;
  readonly text: string;
}

const filesOf = (dialect: Dialect, folder: string): readonly Recording[] =>
  readdirSync(new URL(folder, recordings))
    .filter((file) => !file.includes('transcription'))
    .map((file) => ({
      name: `${folder}/${file}`,
      dialect,
      text: readFileSync(new URL(`${folder}/${file}`, recordings), 'utf8'),
    }));

const all = isThere
  ? speakers.flatMap(([dialect, folders]) => folders.flatMap((folder) => filesOf(dialect, folder)))
  : [];
const isError = ({ name }: Recording): boolean => name.includes('error');
const streamed = all.filter((recording) => !recording.name.endsWith('.json') && !isError(recording));
const whole = all.filter((recording) => recording.name.endsWith('.json') && !isError(recording));
const errors = all.filter(isError);

/** Each line is an event with its type, or one member that is named like the event. */
const toFrame = (line: string, { dialect }: Recording): Frame => {
  const event = JSON.parse(line) as JsonObject;
  const [[name = '', payload = null] = []] = Object.entries(event);
  if (dialect.id === 'converse') return { event: name, data: JSON.stringify(payload) };
  return typeof event.type === 'string' ? { event: event.type, data: line } : { data: line };
};

const framesOfRecording = (recording: Recording): readonly Frame[] =>
  recording.name.endsWith('.sse')
    ? framesOf(recording.text)
    : recording.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => toFrame(line, recording));

const sseOf = (recording: Recording): string =>
  framesOfRecording(recording)
    .map(({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`)
    .join('');

const codecs: readonly (readonly [string, ConversationCodec])[] = [
  ['chat', chatCodec],
  ['messages', messagesCodec],
  ['responses', responsesCodec],
  ['cohere', cohereCodec],
  ['converse', converseCodec],
  ['gemini', geminiCodec],
];

const codecOf = ({ dialect }: Recording): ConversationCodec =>
  codecs.find(([id]) => id === dialect.id)?.[1] ?? expect.unreachable();
/** A client of chat that is not strict gets reasoning, and the provider's own word for the reason instead of the format's. */
const loose = { ...answerOptions, strict: false };

/** Formats have one word for a refusal and for a filter, or two; Cohere's has none. */
const reasonOf = ({ reason }: Finish, id: string): string => {
  const isRefused = reason === 'content-filter' || reason === 'refusal';
  if (!isRefused) return reason;
  return id === 'cohere' ? 'stop' : 'refusal';
};

/** Where a call has an object, the plain text for a custom tool is a member of it. */
const inputOf = (text: string): unknown => {
  const input = parseObject(text);
  return input !== undefined && Object.keys(input).join() === 'arguments' ? input.arguments : (input ?? text);
};

/** What every format can say of a part; empty for what only some can. */
const sayingOf = (part: Part): readonly object[] => {
  if (part.kind === 'text') return [{ text: part.text }];
  if (part.kind === 'reasoning' && part.text !== '') return [{ reasoning: part.text }];
  return part.kind === 'tool-call' ? [{ id: part.id, name: part.name, input: inputOf(part.arguments) }] : [];
};

/** What is said, whatever the parts it is said in. */
const spoken = (choices: readonly AnswerChoice[]): object =>
  choices.map(({ parts }) => ({
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.kind === 'reasoning' ? [part.text] : [])).join(''),
    calls: parts.filter(({ kind }) => kind === 'tool-call').flatMap(sayingOf),
  }));

const reasons = (choices: readonly AnswerChoice[], id: string): readonly string[] =>
  choices.map(({ finish }) => reasonOf(finish, id));

describe('recorded traffic (skipped where there is none beside the repository)', () => {
  it.runIf(isThere)('is there to be replayed', () => {
    expect(streamed.length).toBeGreaterThan(0);
    expect(whole.length).toBeGreaterThan(0);
  });

  describe.each(streamed.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const told = eventsOf(codecOf(recording).streamDecoder(here), framesOfRecording(recording));

    it('is a whole stream', () => {
      expect(told[0]).toMatchObject({ kind: 'start' });
      expect(told.at(-1)).toEqual({ kind: 'end' });
      expect(told.filter(({ kind }) => kind === 'start' || kind === 'end')).toHaveLength(2);
    });

    it('classifies as content what says something, and its end as the end', () => {
      const classes = framesOfRecording(recording).map((frame) => recording.dialect.classify(frame));
      expect(classes).toContain('end');
      expect(classes).not.toContain('error');
      if (foldAnswer(told).choices.some(({ parts }) => parts.length > 0)) expect(classes).toContain('content');
    });

    it.each(codecs)('says the same to a client of %s', (id, codec) => {
      const relayed = (options: EncodeAnswer): readonly AnswerChoice[] => {
        const text = streamVia(codecOf(recording), codec, sseOf(recording), options);
        return foldAnswer(eventsOf(codec.streamDecoder(here), framesOf(text))).choices;
      };
      const { choices } = foldAnswer(told);
      expect(spoken(relayed(loose))).toEqual(spoken(choices));
      expect(reasons(relayed(answerOptions), id)).toEqual(reasons(choices, id));
    });
  });

  it.each(errors.map((recording) => [recording.name, recording] as const))('%s is an error', (name, recording) => {
    if (name.endsWith('.json')) {
      expect(recording.dialect.decodeError(400, recording.text).message).toMatch(/^Un(?:known|supported) parameter/);
      return;
    }
    const frames = framesOfRecording(recording);
    expect(frames.map((frame) => recording.dialect.classify(frame))).toContain('error');
    const last = eventsOf(codecOf(recording).streamDecoder(here), frames).at(-1);
    expect(last).toMatchObject({ kind: 'error', error: { code: 'insufficient_quota', status: 429 } });
  });

  describe.each(whole.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const wire = JSON.parse(recording.text) as JsonObject;

    it.each(codecs)('says the same to a client of %s', (id, codec) => {
      const codecHere = codecOf(recording);
      const { choices } = codecHere.decodeAnswer(wire, here);
      const relayed = (options: EncodeAnswer): readonly AnswerChoice[] =>
        codec.decodeAnswer(answerVia(codecHere, codec, wire, options), here).choices;
      expect(spoken(relayed(loose))).toEqual(spoken(choices));
      expect(reasons(relayed(answerOptions), id)).toEqual(reasons(choices, id));
    });
  });
});
