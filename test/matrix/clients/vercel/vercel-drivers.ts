import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createCohere } from '@ai-sdk/cohere';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AskOptions, ClientDriver } from '../client-driver.ts';
import type { ResponseTap } from '../response-tap.ts';
import { vercelDriver } from './vercel-driver.ts';

const gpt = 'gpt-5.1';
/** A model that still accepts `max_tokens`. */
const olderGpt = 'gpt-4.1';
const claude = 'claude-sonnet-4-6';
const gemini = 'gemini-3-flash-preview';
/** The library uses this model's structured output. For other models, it requests a call of its own tool. */
const claudeOfBedrock = 'anthropic.claude-opus-4-6-v1';
const command = 'command-a-reasoning-08-2025';

/** The settings for all of Vercel's packages. `version` is the first segment of the provider's paths. */
const settings = ({ origin, headers }: AskOptions, tap: ResponseTap, version: string) => ({
  baseURL: `${origin}${version}`,
  apiKey: 'not-sent',
  headers: { ...headers },
  fetch: tap.fetch,
});

/** Drivers for Vercel's library, for every dialect. */
export const vercelDrivers: readonly ClientDriver[] = [
  vercelDriver({
    dialect: 'chat',
    library: 'ai, @ai-sdk/openai (chat)',
    model: gpt,
    languageModel: (options, tap, model) => createOpenAI(settings(options, tap, '/v1')).chat(model),
    hides: { reasoning: "OpenAI's chat completions have none.", refusal: 'It is reported as text.' },
  }),
  vercelDriver({
    dialect: 'chat',
    library: 'ai, @ai-sdk/openai-compatible',
    model: olderGpt,
    languageModel: (options, tap, model) =>
      createOpenAICompatible({
        ...settings(options, tap, '/v1'),
        name: 'gateway',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
    hides: { refusal: 'It has no member for it.' },
    cannot: [
      {
        families: ['openai', 'azure-openai'],
        reason: 'It sends `max_tokens`, which the provider refuses for this model.',
      },
      {
        scenarios: ['next turn'],
        families: ['groq'],
        reason: 'It sends reasoning back as `reasoning_content`, which the provider does not know.',
      },
    ],
  }),
  vercelDriver({
    dialect: 'responses',
    library: 'ai, @ai-sdk/openai (responses)',
    model: gpt,
    languageModel: (options, tap, model) => createOpenAI(settings(options, tap, '/v1')).responses(model),
    // Otherwise the library refers to what the provider stored instead of sending it.
    reasoning: () => ({ openai: { reasoningEffort: 'medium', reasoningSummary: 'auto', store: false } }),
  }),
  vercelDriver({
    dialect: 'messages',
    library: 'ai, @ai-sdk/anthropic',
    model: claude,
    languageModel: (options, tap, model) => createAnthropic(settings(options, tap, '/v1'))(model),
  }),
  vercelDriver({
    dialect: 'gemini',
    library: 'ai, @ai-sdk/google',
    model: gemini,
    languageModel: (options, tap, model) => createGoogle(settings(options, tap, '/v1beta'))(model),
    reasoning: (model) => ({
      google: {
        thinkingConfig: {
          includeThoughts: true,
          ...(model.startsWith('gemini-2.5') ? { thinkingBudget: 2048 } : { thinkingLevel: 'low' as const }),
        },
      },
    }),
    result: (name, content) => JSON.stringify({ name, content }),
  }),
  vercelDriver({
    dialect: 'converse',
    library: 'ai, @ai-sdk/amazon-bedrock',
    model: claudeOfBedrock,
    addsToLimit: 'The budget for thinking, of models that have one.',
    languageModel: (options, tap, model) =>
      createAmazonBedrock({ ...settings(options, tap, ''), region: 'us-east-1' })(model),
  }),
  vercelDriver({
    dialect: 'cohere',
    library: 'ai, @ai-sdk/cohere',
    model: command,
    languageModel: (options, tap, model) => createCohere(settings(options, tap, '/v2'))(model),
    reasoning: () => ({ cohere: { thinking: { type: 'enabled', tokenBudget: 2048 } } }),
    cannot: [{ scenarios: ['document'], reason: 'Documents of a request are texts.' }],
    hides: { cached: 'It reads no count of them.', 'reasoning tokens': 'It reads no count of them.' },
  }),
];
