import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { AnswerEvent, FinishReason } from '../../schema/conversation.ts';
import { foldAnswer } from '../../schema/fold-answer.ts';
import type { JsonObject } from '../../schema/json.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  cohereCodec,
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
  [cohere, ['cohere']],
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

const codecs: Readonly<Record<string, typeof chatCodec>> = {
  chat: chatCodec,
  messages: messagesCodec,
  cohere: cohereCodec,
};
const codecOf = ({ dialect }: Recording): typeof chatCodec => codecs[dialect.id] ?? chatCodec;
const loose = { ...answerOptions, strict: false };

/** Cohere's format has no finish for a refusal. */
const reasonAt = (reason: FinishReason | undefined, id: string): FinishReason | undefined =>
  id === 'cohere' && reason === 'refusal' ? 'stop' : reason;

/** What a client of a dialect is told. */
const spoken = (events: readonly AnswerEvent[], id: string): object =>
  foldAnswer(events).choices.map(({ parts, finish }) => ({
    reason: reasonAt(finish.reason, id),
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.kind === 'reasoning' ? [part.text] : [])).join(''),
    calls: parts.filter((part) => part.kind === 'tool-call'),
  }));

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

    it.each([
      ['chat', chatCodec],
      ['messages', messagesCodec],
      ['cohere', cohereCodec],
    ])('says the same to a client of %s', (id, codec) => {
      const relayed = streamVia(codecOf(recording), codec, sseOf(recording), loose);
      expect(spoken(eventsOf(codec.streamDecoder(here), framesOf(relayed)), id)).toEqual(spoken(told, id));
    });
  });

  describe.each(whole.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const wire = JSON.parse(recording.text) as JsonObject;

    it.each([
      ['chat', chatCodec],
      ['messages', messagesCodec],
      ['cohere', cohereCodec],
    ])('says the same to a client of %s', (id, codec) => {
      const codecHere = codecOf(recording);
      const [before] = codecHere.decodeAnswer(wire, here).choices;
      const [after] = codec.decodeAnswer(answerVia(codecHere, codec, wire, loose), here).choices;
      const said = (choice: typeof before): object =>
        (choice?.parts ?? []).flatMap((part): readonly object[] => {
          if (part.kind === 'text') return [{ kind: part.kind, text: part.text }];
          return part.kind === 'tool-call' || part.kind === 'reasoning' ? [part] : [];
        });
      expect(said(after)).toEqual(said(before));
      expect(after?.finish.reason).toBe(reasonAt(before?.finish.reason, id));
    });
  });
});
