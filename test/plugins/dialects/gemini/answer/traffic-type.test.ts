import { TrafficType } from '@google/genai';
import { expect, it } from 'vitest';
import { answerVia, chatCodec, geminiCodec, messagesCodec } from '../../support/codecs.ts';

const known = Object.values(TrafficType);
const counts = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
const gemini = (trafficType: string) => ({ candidates: [], usageMetadata: { ...counts, trafficType } });
const chat = (tier: string) => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', service_tier: tier },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

it.each(known)('%s, a traffic type of the official client, is sent to Gemini clients unchanged', (trafficType) => {
  expect(answerVia(geminiCodec, geminiCodec, gemini(trafficType))).toMatchObject({ usageMetadata: { trafficType } });
});

it.each([
  ['default', 'ON_DEMAND'],
  ['flex', 'ON_DEMAND_FLEX'],
  ['priority', 'ON_DEMAND_PRIORITY'],
])('the tier %s of OpenAI is the traffic type %s', (tier, trafficType) => {
  expect(known).toContain(trafficType);
  expect(answerVia(chatCodec, geminiCodec, chat(tier))).toMatchObject({ usageMetadata: { trafficType } });
  expect(answerVia(geminiCodec, chatCodec, gemini(trafficType))).toMatchObject({ service_tier: tier });
});

it('a tier that Google does not have is not sent to Gemini clients', () => {
  expect(answerVia(chatCodec, geminiCodec, chat('scale'))).not.toHaveProperty('usageMetadata.trafficType');
});

it("the standard tier of Anthropic is Google's on-demand traffic", () => {
  const answer = {
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Hi' }] },
    ...{ stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1, service_tier: 'standard' } },
  };
  expect(answerVia(messagesCodec, geminiCodec, answer)).toMatchObject({ usageMetadata: { trafficType: 'ON_DEMAND' } });
});
