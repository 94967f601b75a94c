import type { VendorPayload } from './vendor-payload.ts';

/** Grok 3 Mini. */
const grok = { input: 0.3, cache_read: 0.075, output: 0.5 };
const xai: Omit<VendorPayload, 'what' | 'wire'> = {
  ...{ vendor: 'xAI', rule: 'https://docs.x.ai/developers/rate-limits', dialect: 'chat', price: grok },
  charged: [
    [10, 0.3],
    [2, 0.075],
    [322, 0.5],
  ],
};
const xaiUsage = {
  ...{ prompt_tokens: 12, completion_tokens: 2, total_tokens: 334 },
  prompt_tokens_details: { text_tokens: 12, audio_tokens: 0, image_tokens: 0, cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 320, audio_tokens: 0 },
};
const { total_tokens: _, ...withoutTotal } = xaiUsage;
const said = { index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' };

/** Vendors that use OpenAI's form, but count differently. */
export const openaiForm: readonly VendorPayload[] = [
  { ...xai, what: 'reasoning beside the completion', wire: { choices: [said], usage: xaiUsage } },
  {
    ...xai,
    what: 'reasoning beside the completion at the end of a stream',
    wire: [{ choices: [{ index: 0, delta: { content: 'Hi.' } }] }, { choices: [], usage: xaiUsage }],
  },
  { ...xai, what: 'reasoning that is more than the completion', wire: { choices: [said], usage: withoutTotal } },
  {
    ...{ vendor: 'Google', rule: 'https://ai.google.dev/gemini-api/docs/openai', dialect: 'chat' },
    what: "thoughts that only the total of OpenAI's form has",
    price: { input: 1.25, output: 10 },
    wire: { choices: [said], usage: { prompt_tokens: 9, completion_tokens: 29, total_tokens: 296 } },
    charged: [
      [9, 1.25],
      [287, 10],
    ],
  },
  {
    ...{ vendor: 'DeepSeek', rule: 'https://api-docs.deepseek.com/guides/kv_cache', dialect: 'chat' },
    what: 'tokens of its cache at their own price, reasoning within the completion',
    price: { input: 0.28, cache_read: 0.028, output: 0.42 },
    wire: {
      choices: [said],
      usage: {
        ...{ prompt_tokens: 495, completion_tokens: 144, total_tokens: 639 },
        prompt_tokens_details: { cached_tokens: 320 },
        completion_tokens_details: { reasoning_tokens: 118 },
        ...{ prompt_cache_hit_tokens: 320, prompt_cache_miss_tokens: 175 },
      },
    },
    charged: [
      [175, 0.28],
      [320, 0.028],
      [144, 0.42],
    ],
  },
  {
    ...{ vendor: 'Groq', rule: 'https://console.groq.com/docs/prompt-caching', dialect: 'chat' },
    what: 'reasoning within the completion',
    price: { input: 0.29, output: 0.59 },
    wire: {
      choices: [said],
      usage: {
        ...{ queue_time: 0.33, prompt_tokens: 17, prompt_time: 0.0006, completion_tokens: 649, total_tokens: 666 },
        completion_tokens_details: { reasoning_tokens: 570 },
      },
    },
    charged: [
      [17, 0.29],
      [649, 0.59],
    ],
  },
  {
    ...{ vendor: 'Mistral', rule: 'https://docs.mistral.ai/capabilities/audio_transcription', dialect: 'chat' },
    what: 'tokens of a sound that only the total has, as input',
    price: { input: 0.1, output: 0.3 },
    wire: {
      choices: [said],
      usage: { prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635, total_tokens: 3264 },
    },
    charged: [
      [2629, 0.1],
      [635, 0.3],
    ],
  },
];
