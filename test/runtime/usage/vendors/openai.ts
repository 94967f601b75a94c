import type { VendorPayload, VendorTerms } from './vendor-payload.ts';

const price = { input: 1.25, cache_read: 0.125, output: 10, web_search: 0.01 };
const responses: VendorTerms = { vendor: 'OpenAI', dialect: 'responses', price, listedAs: 'openai', model: 'gpt-5' };
const chat: VendorTerms = { ...responses, dialect: 'chat' };
const usage = {
  ...{ input_tokens: 3700, input_tokens_details: { cached_tokens: 2560 } },
  ...{ output_tokens: 741, output_tokens_details: { reasoning_tokens: 640 }, total_tokens: 4441 },
};
const charged = (factor: number): VendorPayload['charged'] => [
  [1140, 1.25 * factor],
  [2560, 0.125 * factor],
  [741, 10 * factor],
];
const search = (type?: string) => ({ type: 'web_search_call', status: 'completed', action: { type } });
const chatUsage = {
  ...{ prompt_tokens: 3700, prompt_tokens_details: { cached_tokens: 2560, audio_tokens: 0 } },
  ...{ completion_tokens: 741, completion_tokens_details: { reasoning_tokens: 640 }, total_tokens: 4441 },
};
const pricing = 'https://developers.openai.com/api/docs/pricing';
const caching = 'https://platform.openai.com/docs/guides/prompt-caching';

export const openai: readonly VendorPayload[] = [
  {
    ...{ ...responses, rule: caching, charged: charged(1) },
    what: 'cached tokens once, reasoning within the output',
    wire: { id: 'r1', model: 'gpt-5', service_tier: 'default', output: [], usage },
  },
  {
    ...{ ...responses, rule: caching, charged: charged(1) },
    what: 'the response at the end of a stream',
    wire: [
      { type: 'response.created', response: { id: 'r1', model: 'gpt-5', service_tier: 'auto', usage: null } },
      { type: 'response.output_text.delta', delta: 'Hi.' },
      {
        type: 'response.completed',
        response: { id: 'r1', model: 'gpt-5', service_tier: 'default', output: [], usage },
      },
    ],
  },
  {
    ...{ ...responses, rule: 'https://platform.openai.com/docs/guides/tools-web-search', charged: charged(1) },
    what: 'searches, and not the pages that were looked at',
    wire: {
      ...{ model: 'gpt-5', usage },
      output: [search('search'), search('open_page'), search('find_in_page'), search('search'), search()],
    },
    calls: 30_000_000,
  },
  {
    ...{ ...responses, rule: 'https://openai.com/api-fast-mode/', charged: charged(2) },
    what: 'the tier that served, whose searches cost the same',
    wire: { model: 'gpt-5', service_tier: 'priority', output: [search('search')], usage },
    calls: 10_000_000,
  },
  {
    ...{ ...responses, rule: 'https://platform.openai.com/docs/guides/flex-processing', charged: charged(0.5) },
    what: 'the prices of batches at the tier flex',
    wire: { model: 'gpt-5', service_tier: 'flex', output: [], usage },
  },
  {
    ...{ ...chat, rule: caching, charged: charged(1) },
    what: 'chat completions, the tier beside the usage',
    wire: { model: 'gpt-5', service_tier: 'default', choices: [], usage: chatUsage },
  },
  {
    ...{ ...chat, rule: 'https://openai.com/api-fast-mode/', charged: charged(2) },
    what: 'the tier in the last chunk of a stream',
    wire: [
      { model: 'gpt-5', service_tier: 'fast', choices: [{ index: 0, delta: { content: 'Hi.' } }], usage: null },
      { model: 'gpt-5', service_tier: 'fast', choices: [], usage: chatUsage },
    ],
  },
  {
    ...{ ...chat, rule: caching },
    what: 'cached tokens up to the prompt',
    wire: {
      model: 'gpt-5',
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 50 },
      },
    },
    charged: [
      [10, 0.125],
      [2, 10],
    ],
  },
  {
    ...{ ...chat, rule: pricing },
    what: 'sounds at their own price',
    price: { input: 2.5, output: 10, input_audio: 32, output_audio: 64 },
    wire: {
      model: 'gpt-audio',
      choices: [],
      usage: {
        ...{ prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 80 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 45 },
      },
    },
    charged: [
      [20, 2.5],
      [80, 32],
      [15, 10],
      [45, 64],
    ],
  },
  {
    ...{ ...chat, rule: pricing, dialect: 'embeddings' },
    what: 'an embedding, which has no output',
    price: { input: 0.13, output: 0 },
    wire: { model: 'text-embedding-3-large', data: [], usage: { prompt_tokens: 8, total_tokens: 8 } },
    charged: [[8, 0.13]],
  },
];
