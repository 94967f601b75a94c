import { describe, expect, it } from 'vitest';
import { shownReasoning } from '../../plugins/dialects/shared/parts/shown-reasoning.ts';
import type { EncodeAnswer } from '../../plugins/sdk/dialect/dialect.ts';
import type { AnswerChoice, Finish } from '../../schema/conversation/answer.ts';
import type { Part } from '../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import { answerOptions, answerVia, here, streamVia } from '../plugins/dialects/support/codecs.ts';
import { toEvents, toFrames } from '../plugins/dialects/support/frames.ts';
import { codecs, errors, framesOfRecording, isThere, type Recording, streamed, toCodec, whole } from './recorded.ts';

const toSse = (recording: Recording): string =>
  framesOfRecording(recording)
    .map(({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`)
    .join('');

/**
 * Options for a chat client that is not strict: it receives reasoning, and the provider's own finish reason instead of the
 * format's.
 */
const loose = { ...answerOptions, strict: false };

/**
 * Maps refusals and content filters to one reason, because some formats have one word for both, some have two, and Cohere's has
 * none.
 */
const toReason = ({ reason }: Finish, id: string): string => {
  const isRefused = reason === 'content-filter' || reason === 'refusal';
  if (!isRefused) return reason;
  return id === 'cohere' ? 'stop' : 'refusal';
};

/** Some formats require an object as a tool call's input. There, the plain text for a custom tool is a member of it. */
const toInput = (text: string): unknown => {
  const input = parseObject(text);
  return input !== undefined && Object.keys(input).join() === 'arguments' ? input.arguments : (input ?? text);
};

/** Returns what every format can express of a part; nothing for parts that only some formats have. */
const toSaying = (part: Part): readonly object[] => {
  if (part.kind === 'text') return [{ text: part.text }];
  const reasoning = part.kind === 'reasoning' ? shownReasoning(part) : '';
  if (reasoning !== '') return [{ reasoning }];
  return part.kind === 'tool-call' ? [{ id: part.id, name: part.name, input: toInput(part.arguments) }] : [];
};

/** Collects the content of each choice, regardless of how it is divided into parts. */
const spoken = (choices: readonly AnswerChoice[]): object =>
  choices.map(({ parts }) => ({
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.kind === 'reasoning' ? [shownReasoning(part)] : [])).join(''),
    calls: parts.filter(({ kind }) => kind === 'tool-call').flatMap(toSaying),
  }));

const reasons = (choices: readonly AnswerChoice[], id: string): readonly string[] =>
  choices.map(({ finish }) => toReason(finish, id));

describe('recorded traffic (skipped if there are no recordings next to the repository)', () => {
  it.runIf(isThere)('contains streams and whole answers', () => {
    expect(streamed.length).toBeGreaterThan(0);
    expect(whole.length).toBeGreaterThan(0);
  });

  describe.each(streamed.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const events = toEvents(toCodec(recording).streamDecoder(here), framesOfRecording(recording));

    it('decodes to exactly one start, at the beginning, and one end, at the end', () => {
      expect(events[0]).toMatchObject({ kind: 'start' });
      expect(events.at(-1)).toEqual({ kind: 'end' });
      expect(events.filter(({ kind }) => kind === 'start' || kind === 'end')).toHaveLength(2);
    });

    it('has an end frame, no error frames and, if it has any content, content frames', () => {
      const classes = framesOfRecording(recording).map((frame) => recording.dialect.classify(frame));
      expect(classes).toContain('end');
      expect(classes).not.toContain('error');
      if (foldAnswer(events).choices.some(({ parts }) => parts.length > 0)) expect(classes).toContain('content');
    });

    it.each(codecs)('has the same content for a client of %s', (id, codec) => {
      const relayed = (options: EncodeAnswer): readonly AnswerChoice[] => {
        const text = streamVia(toCodec(recording), codec, toSse(recording), options);
        return foldAnswer(toEvents(codec.streamDecoder(here), toFrames(text))).choices;
      };
      const { choices } = foldAnswer(events);
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
    const last = toEvents(toCodec(recording).streamDecoder(here), frames).at(-1);
    expect(last).toMatchObject({ kind: 'error', error: { code: 'insufficient_quota', status: 429 } });
  });

  describe.each(whole.map((recording) => [recording.name, recording] as const))('%s', (_name, recording) => {
    const wire = JSON.parse(recording.text) as JsonObject;

    it.each(codecs)('has the same content for a client of %s', (id, codec) => {
      const codecHere = toCodec(recording);
      const { choices } = codecHere.decodeAnswer(wire, here);
      const relayed = (options: EncodeAnswer): readonly AnswerChoice[] =>
        codec.decodeAnswer(answerVia(codecHere, codec, wire, options), here).choices;
      expect(spoken(relayed(loose))).toEqual(spoken(choices));
      expect(reasons(relayed(answerOptions), id)).toEqual(reasons(choices, id));
    });
  });
});
