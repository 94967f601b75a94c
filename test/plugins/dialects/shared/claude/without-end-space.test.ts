import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { chatCodec, converseCodec, geminiCodec, messagesCodec, requestVia } from '../../support/codecs.ts';

const begun = (content: string, ...more: readonly JsonObject[]): JsonObject => ({
  model: 'anthropic.claude-sonnet-4-5',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Name a colour.' }, { role: 'assistant', content }, ...more],
});

describe('the beginning of an answer from Claude', () => {
  it.each([
    ['messages', messagesCodec],
    ['converse', converseCodec],
  ])('loses its trailing white space in a %s request, because the API rejects it', (_id, to) => {
    const { body, lost } = requestVia(chatCodec, to, begun('It is \n'));
    expect(body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', content: [{ text: 'It is' }] }]);
    expect(lost).toEqual(['turns[1].parts[0].text']);
  });

  it('is sent unchanged before a user message, and to models of other vendors', () => {
    const other = { ...begun('It is '), model: 'mistral.mistral-large-2407-v1:0' };
    const last = requestVia(chatCodec, messagesCodec, begun('It is ', { role: 'user', content: 'Go on.' }));
    expect(last.body.messages).toMatchObject([{}, { content: [{ text: 'It is ' }] }, {}]);
    expect([requestVia(chatCodec, converseCodec, other).lost, last.lost]).toEqual([[], []]);
    expect(requestVia(chatCodec, geminiCodec, begun('It is ')).lost).toEqual([]);
  });
});
