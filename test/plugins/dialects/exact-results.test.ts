import { expect, it } from 'vitest';
import { exactTextFrom, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
} from './support/codecs.ts';

const codecs = [chatCodec, messagesCodec, converseCodec, geminiCodec, responsesCodec, cohereCodec];

const id = '1234567890123456789';

/** A number that is infinite in JavaScript. */
const far = '-1e400';

const target = { provider: 'test', strict: true, drop: new Set<string>(), scope: here.scope };

/** Requests with a tool result as JSON, in each format that allows it. */
const requests = [
  {
    of: 'Converse',
    codec: converseCodec,
    text: `{"messages":[
      {"role":"user","content":[{"text":"Find it."}]},
      {"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"find","input":{}}}]},
      {"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"json":{"id":${id},"far":${far}}}]}}]}]}`,
  },
  {
    of: 'Gemini',
    codec: geminiCodec,
    text: `{"contents":[
      {"role":"user","parts":[{"text":"Find it."}]},
      {"role":"model","parts":[{"functionCall":{"id":"c1","name":"find","args":{}}}]},
      {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"find","response":{"id":${id},"far":${far}}}}]}]}`,
  },
  {
    of: 'Converse that is only a number',
    codec: converseCodec,
    text: `{"messages":[
      {"role":"user","content":[{"text":"Find it."}]},
      {"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"find","input":{}}}]},
      {"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"json":${id}},{"json":${far}}]}}]}]}`,
  },
  {
    of: 'Gemini that is only a number',
    codec: geminiCodec,
    text: `{"contents":[
      {"role":"user","parts":[{"text":"Find them."}]},
      {"role":"model","parts":[
        {"functionCall":{"id":"c1","name":"find","args":{}}},
        {"functionCall":{"id":"c2","name":"find","args":{}}}]},
      {"role":"user","parts":[
        {"functionResponse":{"id":"c1","name":"find","response":{"output":${id}}}},
        {"functionResponse":{"id":"c2","name":"find","response":{"error":${far}}}}]}]}`,
  },
  {
    of: 'Cohere',
    codec: cohereCodec,
    text: `{"messages":[
      {"role":"user","content":"Find it."},
      {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"c1","content":[
        {"type":"document","document":{"data":{"id":${id}}}},
        {"type":"document","document":{"id":"d1","data":"{\\"far\\":${far}}"}}]}]}`,
  },
];

it.each(requests)('a number in a tool result of $of keeps its digits in other formats', ({ codec, text }) => {
  const conversation = {
    ...codec.decodeRequest(fromExactJson(text), { ...here, model: 'm' }),
    sampling: { maxTokens: 9 },
  };
  for (const other of codecs) {
    const written = JSON.stringify(other.encodeRequest(conversation, target).body);
    expect(written).toMatch(new RegExp(`[:[" ]${id}\\b`));
    expect(written).toMatch(new RegExp(`[:[,"]${far}\\b`));
    expect(written).not.toContain('rawJSON');
  }
});

const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${id},"enum":[${id}],"const":${id}}}}`;

it('numbers in an answer schema keep their digits in all formats', () => {
  const format = `{"type":"json_schema","json_schema":{"name":"f","schema":${schema}}}`;
  const read = fromExactJson(
    `{"messages":[{"role":"user","content":"Go."}],"max_tokens":9,"response_format":${format}}`,
  );
  const conversation = chatCodec.decodeRequest(read, { ...here, model: 'm' });
  for (const other of codecs) {
    const written = exactTextFrom(read, other.encodeRequest(conversation, { ...target, strict: false }).body);
    expect(written.split(id)).toHaveLength(4);
  }
});

it('numbers in chat call arguments that are streamed as an object keep their digits', () => {
  const decoder = chatCodec.streamDecoder(here);
  const call = `{"index":0,"id":"c1","type":"function","function":{"name":"find","arguments":{"id":${id},"far":${far}}}}`;
  const data = `{"id":"a","model":"m","choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}`;
  expect(decoder.push({ data })).toContainEqual(
    expect.objectContaining({ kind: 'tool-arguments', text: `{"id":${id},"far":${far}}` }),
  );
});
