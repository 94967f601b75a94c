import { expect, it } from 'vitest';
import { chatCodec, requestVia, responsesCodec } from './support/codecs.ts';

// Found by the fuzz test of responses, with the seed 210988466.
it('writes a refusal within instructions to chat as a text, which the chat API accepts there', () => {
  const said = (type: string, name: string, text: string) => ({ type, [name]: text });
  const content = [said('input_text', 'text', 'Be kind.'), said('refusal', 'refusal', 'I cannot.')];
  const input = [
    { type: 'message', role: 'user', content: 'Hello.' },
    { type: 'message', role: 'system', content },
  ];
  const { body, lost } = requestVia(responsesCodec, chatCodec, { model: 'm', input });
  expect(body.messages).toEqual([
    { role: 'user', content: 'Hello.' },
    { role: 'system', content: [said('text', 'text', 'Be kind.'), said('text', 'text', 'I cannot.')] },
  ]);
  expect(lost).toContain('turns[1].parts[1].refusal');
});
