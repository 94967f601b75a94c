import { expect, it } from 'vitest';
import { fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { chatCodec, converseCodec, geminiCodec, here, messagesCodec } from './support/codecs.ts';

const id = '1234567890123456789';

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

/** Requests with the result of a tool as JSON, in the formats that have it so. */
const requests = [
  {
    of: 'Converse',
    codec: converseCodec,
    text: `{"messages":[
      {"role":"user","content":[{"text":"Find it."}]},
      {"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"find","input":{}}}]},
      {"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"json":{"id":${id}}}]}}]}]}`,
  },
  {
    of: 'Gemini',
    codec: geminiCodec,
    text: `{"contents":[
      {"role":"user","parts":[{"text":"Find it."}]},
      {"role":"model","parts":[{"functionCall":{"id":"c1","name":"find","args":{}}}]},
      {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"find","response":{"id":${id}}}}]}]}`,
  },
];

it.each(requests)('a number in the result of a tool of $of keeps its digits in other formats', ({ codec, text }) => {
  const conversation = {
    ...codec.decodeRequest(fromExactJson(text), { ...here, model: 'm' }),
    sampling: { maxTokens: 9 },
  };
  for (const other of [chatCodec, messagesCodec, converseCodec, geminiCodec])
    expect(JSON.stringify(other.encodeRequest(conversation, target).body)).toContain(id);
});
