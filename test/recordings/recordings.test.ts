import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame } from '../../plugins/sdk/dialect.ts';
import type { AnswerEvent, FinishReason, Part } from '../../schema/conversation.ts';
import { foldAnswer } from '../../schema/fold-answer.ts';
import type { JsonObject } from '../../schema/json.ts';
import {
  answerOptions,
  answerVia,
  chatCodec,
  cohereCodec,
  converseCodec,
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
  [converse, ['amazon-bedrock']],
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

const codecs: Readonly<Record<string, typeof chatCodec>> = {
  chat: chatCodec,
  messages: messagesCodec,
  cohere: cohereCodec,
  converse: converseCodec,
};
const codecOf = ({ dialect }: Recording): typeof chatCodec => codecs[dialect.id] ?? chatCodec;
const loose = { ...answerOptions, strict: false };

/** Cohere's format has no finish for a refusal, and Bedrock's calls it a filter. */
const refusals: Readonly<Record<string, FinishReason>> = { cohere: 'stop', converse: 'content-filter' };

const reasonAt = (reason: FinishReason | undefined, id: string): FinishReason | undefined =>
  reason === 'refusal' ? (refusals[id] ?? reason) : reason;

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
      ['converse', converseCodec],
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
      ['converse', converseCodec],
    ])('says the same to a client of %s', (id, codec) => {
      const codecHere = codecOf(recording);
      const [before] = codecHere.decodeAnswer(wire, here).choices;
      const [after] = codec.decodeAnswer(answerVia(codecHere, codec, wire, loose), here).choices;
      // A format may have texts and calls in members of their own.
      const said = (choice: typeof before): object =>
        Map.groupBy(
          (choice?.parts ?? []).flatMap((part): readonly Part[] => {
            if (part.kind === 'text') return [{ kind: part.kind, text: part.text }];
            return part.kind === 'tool-call' || part.kind === 'reasoning' ? [part] : [];
          }),
          ({ kind }) => kind,
        );
      expect(said(after)).toEqual(said(before));
      expect(after?.finish.reason).toBe(reasonAt(before?.finish.reason, id));
    });
  });
});
