import { describe, expect, it } from 'vitest';
import type { ConversationCodec } from '../../../../../plugins/sdk/dialect/dialect.ts';
import {
  chatCodec,
  cohereCodec,
  geminiCodec,
  messagesCodec,
  requestVia,
  responsesCodec,
} from '../../support/codecs.ts';

const url = 'data:image/jpg;base64,QUJD';

const chat = {
  model: 'm',
  max_tokens: 9,
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
};
const responses = {
  model: 'm',
  max_output_tokens: 9,
  input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
};

describe('an image that its client declares as image/jpg', () => {
  it.each<[string, ConversationCodec, object]>([
    ['chat', chatCodec, chat],
    ['cohere', cohereCodec, chat],
    ['responses', responsesCodec, responses],
  ])('has the type image/jpeg, from a client of %s', (_, from, wire) => {
    const { body: asMessages } = requestVia(from, messagesCodec, { ...wire });
    expect(asMessages.messages).toMatchObject([
      { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QUJD' } }] },
    ]);
    const { body: asGemini } = requestVia(from, geminiCodec, { ...wire });
    expect(asGemini.contents).toMatchObject([{ parts: [{ inlineData: { mimeType: 'image/jpeg', data: 'QUJD' } }] }]);
  });
});
