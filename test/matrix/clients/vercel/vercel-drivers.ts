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
/** It still takes `max_tokens`. */
const olderGpt = 'gpt-4.1';
const claude = 'claude-sonnet-4-6';
const gemini = 'gemini-3-flash-preview';
const claudeOfBedrock = 'anthropic.claude-sonnet-4-6';
const command = 'command-a-reasoning-08-2025';

/** What all of Vercel's packages take; `version` is the first segment of the provider's paths. */
const settings = ({ origin, headers }: AskOptions, tap: ResponseTap, version: string) => ({
  baseURL: `${origin}${version}`,
  apiKey: 'not-sent',
  headers: { ...headers },
  fetch: tap.fetch,
});

/** Vercel's library for every dialect. */
export const vercelDrivers: readonly ClientDriver[] = [
  vercelDriver({
    dialect: 'chat',
    library: 'ai, @ai-sdk/openai (chat)',
    model: gpt,
    languageModel: (options, tap) => createOpenAI(settings(options, tap, '/v1')).chat(gpt),
    hides: { reasoning: "OpenAI's chat completions have none.", refusal: 'It is told as text.' },
  }),
  vercelDriver({
    dialect: 'chat',
    library: 'ai, @ai-sdk/openai-compatible',
    model: olderGpt,
    languageModel: (options, tap) =>
      createOpenAICompatible({
        ...settings(options, tap, '/v1'),
        name: 'gateway',
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(olderGpt),
    hides: { refusal: 'It has no member for it.' },
  }),
  vercelDriver({
    dialect: 'responses',
    library: 'ai, @ai-sdk/openai (responses)',
    model: gpt,
    languageModel: (options, tap) => createOpenAI(settings(options, tap, '/v1')).responses(gpt),
    reasoning: { openai: { reasoningEffort: 'medium', reasoningSummary: 'auto' } },
  }),
  vercelDriver({
    dialect: 'messages',
    library: 'ai, @ai-sdk/anthropic',
    model: claude,
    languageModel: (options, tap) => createAnthropic(settings(options, tap, '/v1'))(claude),
  }),
  vercelDriver({
    dialect: 'gemini',
    library: 'ai, @ai-sdk/google',
    model: gemini,
    languageModel: (options, tap) => createGoogle(settings(options, tap, '/v1beta'))(gemini),
    reasoning: { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
    result: (name, content) => JSON.stringify({ name, content }),
  }),
  vercelDriver({
    dialect: 'converse',
    library: 'ai, @ai-sdk/amazon-bedrock',
    model: claudeOfBedrock,
    languageModel: (options, tap) =>
      createAmazonBedrock({ ...settings(options, tap, ''), region: 'us-east-1' })(claudeOfBedrock),
    cannot: { schema: "It is a field of Claude's own, which Converse does not document." },
  }),
  vercelDriver({
    dialect: 'cohere',
    library: 'ai, @ai-sdk/cohere',
    model: command,
    languageModel: (options, tap) => createCohere(settings(options, tap, '/v2'))(command),
    reasoning: { cohere: { thinking: { type: 'enabled', tokenBudget: 2048 } } },
    cannot: { document: 'Documents of a request are texts.' },
  }),
];
