import { describe, expect, it } from 'vitest';
import { completion } from '../../../../../plugins/dialects/chat/answer/completion.ts';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import { foldAnswer } from '../../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { chatCodec, here, streamVia } from '../../support/codecs.ts';
import { toEvents, toFrames } from '../../support/frames.ts';
import { oddCalls } from '../../support/odd-calls.ts';

const codecs = Object.entries(oddCalls).map(([id, { codec }]) => [id, codec] as const);

/** Returns the calls of a stream, with their arguments as values, or the code of its error. */
const readCalls = (codec: ConversationCodec, text: string): unknown => {
  const events = toEvents(codec.streamDecoder(here), toFrames(text));
  const failed = events.find((event) => event.kind === 'error');
  if (failed !== undefined) return failed.error.code;
  return foldAnswer(events).choices.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool-call' ? [[part.name, JSON.parse(part.arguments)]] : [])),
  );
};

const cases = Object.entries(oddCalls).flatMap(([id, { codec, streams }]) =>
  Object.entries(streams).map(([what, [text, expected]]) => ({ id, codec, what, text, expected })),
);

describe.each(cases)('a stream of $id with $what', ({ codec, text, expected }) => {
  it('has the calls that its provider made', () => {
    expect(readCalls(codec, text)).toEqual(expected);
  });

  it.each(codecs)('has the same calls for clients of %s', (_, client) => {
    expect(readCalls(client, streamVia(codec, client, text))).toEqual(expected);
  });
});

const chatCases = cases.filter(({ id, expected }) => id === 'chat' && typeof expected !== 'string');

describe.each(chatCases)('a chat stream with $what that is only completed', ({ text, expected }) => {
  it('has one index for all pieces of a call', () => {
    const edit = completion(['call-index', 'call-type']).stream();
    const frames = toFrames(text).map(({ data }) =>
      data === '[DONE]' ? data : JSON.stringify(edit(JSON.parse(data) as JsonObject)),
    );
    const byIndex = new Map<unknown, { name: string; text: string }>();
    for (const data of frames.filter((each) => each !== '[DONE]')) {
      const { choices } = JSON.parse(data) as { choices: readonly { delta: { tool_calls?: readonly JsonObject[] } }[] };
      for (const { index, function: named = {} } of choices[0]?.delta.tool_calls ?? []) {
        const { name = '', arguments: said = '' } = named as { name?: string; arguments?: string };
        const call = byIndex.get(index) ?? { name: '', text: '' };
        byIndex.set(index, { name: name === '' ? call.name : name, text: call.text + said });
      }
    }
    const calls = [...byIndex.values()].map(({ name, text: said }) => [name, JSON.parse(said === '' ? '{}' : said)]);
    expect(calls).toEqual(expected);
    expect(readCalls(chatCodec, frames.map((data) => `data: ${data}\n\n`).join(''))).toEqual(expected);
  });
});
