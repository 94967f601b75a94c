import { describe, expect, it } from 'vitest';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { here, messagesCodec } from '../support/codecs.ts';
import { toEvents } from '../support/frames.ts';

const compaction: JsonObject = {
  type: 'compaction',
  input_tokens: 180_000,
  output_tokens: 3500,
  cache_read_input_tokens: 20,
  cache_creation_input_tokens: 0,
};
const message: JsonObject = { type: 'message', input_tokens: 23_000, output_tokens: 1000 };
const usage: JsonObject = { input_tokens: 23_000, output_tokens: 1000, iterations: [compaction, message] };
const all = { input: 203_020, output: 4500, cacheRead: 20 };

describe('tokens that the provider spent on compacting a conversation', () => {
  it('are charged in addition to those of the message, which do not include them', () => {
    const answer = { id: 'a', model: 'm', content: [], stop_reason: 'end_turn', usage };
    expect(messagesCodec.decodeAnswer(answer, here).usage).toMatchObject(all);
  });

  it('are the only usage of a message that stops after the compaction', () => {
    const none = { input_tokens: 0, output_tokens: 0, iterations: [compaction] };
    const answer = { id: 'a', model: 'm', content: [], stop_reason: 'compaction', usage: none };
    expect(messagesCodec.decodeAnswer(answer, here).usage).toMatchObject({ input: 180_020, output: 3500 });
  });

  it('are counted once in a stream', () => {
    const { iterations, output_tokens } = usage;
    const frames = [
      { type: 'message_start', message: { id: 'a', model: 'm', usage: { input_tokens: 23_000, output_tokens: 1 } } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 500, iterations: [compaction] } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens, iterations } },
      { type: 'message_stop' },
    ].map((event) => ({ event: event.type, data: JSON.stringify(event) }));
    expect(foldAnswer(toEvents(messagesCodec.streamDecoder(here), frames)).usage).toMatchObject(all);
  });
});
