import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { Answer, FinishReason } from '../../schema/conversation.ts';
import { foldAnswer } from '../../schema/fold-answer.ts';
import type { JsonObject } from '../../schema/json.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  geminiCodec,
  here,
  messagesCodec,
  streamVia,
} from '../plugins/dialects/codecs.ts';
import { eventsOf, framesOf } from '../plugins/dialects/frames.ts';

/** Recorded traffic beside the repository; its files are not part of it. */
const recordings = new URL('../../../shared/fixtures/', import.meta.url);
const isThere = existsSync(recordings);

const speakers: readonly (readonly [Dialect, readonly string[]])[] = [
  [chat, ['deepseek', 'groq', 'mistral', 'openai-compatible']],
  [messages, ['anthropic']],
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
const streamed = all.filter(({ name }) => !name.endsWith('.json'));
const whole = all.filter(({ name }) => name.endsWith('.json'));

const toFrame = (line: string): Frame => {
  const { type } = JSON.parse(line) as { type?: string };
  return type === undefined ? { data: line } : { event: type, data: line };
};

const framesOfRecording = ({ name, text }: Recording): readonly Frame[] =>
  name.endsWith('.sse')
    ? framesOf(text)
    : text
        .split('\n')
        .filter((line) => line !== '')
        .map(toFrame);

const sseOf = (recording: Recording): string =>
  framesOfRecording(recording)
    .map(({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`)
    .join('');

const codecs = [
  ['chat', chatCodec],
  ['messages', messagesCodec],
  ['gemini', geminiCodec],
] as const;
const codecOf = ({ dialect }: Recording): typeof chatCodec =>
  new Map<string, typeof chatCodec>(codecs).get(dialect.id) ?? chatCodec;
/** Not strict: only then is reasoning told to a client of chat, and the provider's own word for the reason with it. */
const loose = { ...answerOptions, strict: false };

/** Reasons that Gemini's format tells apart; where it is not strict, a client of chat gets the provider's own word. */
const coarse: ReadonlyMap<FinishReason, string> = new Map([
  ['tool-calls', 'stop'],
  ['refusal', 'content-filter'],
  ['pause', 'other'],
]);

const input = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** All that is said, whatever the parts it is said in. */
const spoken = ({ choices }: Answer, isCoarse: boolean): object =>
  choices.map(({ parts, finish: { reason } }) => ({
    reason: isCoarse ? (coarse.get(reason) ?? reason) : reason,
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.kind === 'reasoning' ? [part.text] : [])).join(''),
    bound: parts.flatMap((part) => (part.kind === 'reasoning' && part.bound !== undefined ? [part.bound.value] : [])),
    calls: parts.flatMap((part) =>
      part.kind === 'tool-call' ? [{ id: part.id, name: part.name, input: input(part.arguments) }] : [],
    ),
  }));

const isCoarse = ({ dialect }: Recording, client: string): boolean => dialect.id === 'gemini' || client === 'gemini';

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
      const relayed = streamVia(codecOf(recording), codec, sseOf(recording), loose);
      const said = foldAnswer(eventsOf(codec.streamDecoder(here), framesOf(relayed)));
      expect(spoken(said, isCoarse(recording, id))).toEqual(spoken(foldAnswer(told), isCoarse(recording, id)));
    });
  });

  describe.each(whole.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const wire = JSON.parse(recording.text) as JsonObject;

    it.each(codecs)('says the same to a client of %s', (id, codec) => {
      const codecHere = codecOf(recording);
      const said = codec.decodeAnswer(answerVia(codecHere, codec, wire, loose), here);
      const answer = codecHere.decodeAnswer(wire, here);
      expect(spoken(said, isCoarse(recording, id))).toEqual(spoken(answer, isCoarse(recording, id)));
    });
  });
});
