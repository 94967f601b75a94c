import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerVia, chatCodec, cohereCodec, here, responsesCodec, streamVia } from '../support/codecs.ts';
import { toEvents, toFrames } from '../support/frames.ts';

const call = (index: number, text: string | null): JsonObject => ({
  index,
  ...{ id: `c${index}`, type: 'function', function: { name: 'now', arguments: text } },
});
const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A stream of three calls, of which only the second has arguments. */
const stream = [
  chunk({ tool_calls: [call(0, '')] }),
  chunk({ tool_calls: [call(1, '{"zone":')] }),
  chunk({ tool_calls: [{ index: 1, function: { arguments: '"CET"}' } }] }),
  chunk({ tool_calls: [call(2, null)] }),
  chunk({}, 'tool_calls'),
  'data: [DONE]\n\n',
].join('');
const whole = {
  id: 'a',
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [call(0, ''), call(1, '{"zone":"CET"}'), call(2, null)],
      },
      finish_reason: 'tool_calls',
    },
  ],
};
const all = ['{}', '{"zone":"CET"}', '{}'];

const toArguments = (events: readonly AnswerEvent[]): readonly string[] =>
  (foldAnswer(events).choices[0]?.parts ?? []).flatMap((part) => (part.kind === 'tool-call' ? [part.arguments] : []));

describe('calls without arguments', () => {
  it('have an empty object as arguments, whole and streamed', () => {
    const { choices } = chatCodec.decodeAnswer(whole, here);
    expect(choices[0]?.parts.map((part) => part.kind === 'tool-call' && part.arguments)).toEqual(all);
    expect(toArguments(toEvents(chatCodec.streamDecoder(here), toFrames(stream)))).toEqual(all);
  });

  it.each([
    ['cohere', cohereCodec],
    ['responses', responsesCodec],
  ])('have JSON arguments for clients of %s', (_, codec) => {
    const { choices } = codec.decodeAnswer(answerVia(chatCodec, codec, whole), here);
    expect(choices[0]?.parts.map((part) => part.kind === 'tool-call' && part.arguments)).toEqual(all);
    const frames = toFrames(streamVia(chatCodec, codec, stream));
    expect(toArguments(toEvents(codec.streamDecoder(here), frames))).toEqual(all);
  });

  it('have an empty input if they call a custom tool', () => {
    const custom = { index: 0, id: 'c', type: 'custom', custom: { name: 'sql', input: '' } };
    const text = chunk({ tool_calls: [custom] }) + chunk({}, 'tool_calls');
    expect(toArguments(toEvents(chatCodec.streamDecoder(here), toFrames(text)))).toEqual(['']);
  });
});
