import { mistralSdk } from './mistral-sdk.ts';
import { openaiLikeSdk } from './openai-like-sdk.ts';
import { openrouterSdk } from './openrouter-sdk.ts';
import type { VendorSdk } from './vendor-sdk.ts';
import { claudeOnVertexSdk, geminiOnVertexSdk } from './vertex-sdks.ts';
import { voyageSdk } from './voyage-sdk.ts';

/** The libraries that `npm run providers:sdks` installs; where two have a format of a provider, the first one asks. */
export const vendorSdks: readonly VendorSdk[] = [
  mistralSdk,
  openrouterSdk,
  voyageSdk,
  geminiOnVertexSdk,
  claudeOnVertexSdk,
  openaiLikeSdk({
    library: 'groq-sdk',
    provider: 'groq',
    dialects: ['chat', 'speech', 'transcriptions', 'translations'],
    baseUrl: ({ origin }) => origin,
  }),
  openaiLikeSdk({
    library: 'together-ai',
    provider: 'together-ai',
    dialects: ['chat', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'translations'],
    baseUrl: ({ origin, base }) => origin + base,
  }),
  openaiLikeSdk({
    library: '@cerebras/cerebras_cloud_sdk',
    provider: 'cerebras',
    dialects: ['chat', 'completions'],
    baseUrl: ({ origin }) => origin,
    // It would begin with a request that opens a connection.
    options: { warmTCPConnection: false },
  }),
  openaiLikeSdk({
    library: '@perplexity-ai/perplexity_ai',
    provider: 'perplexity-ai',
    dialects: ['responses', 'embeddings'],
    baseUrl: ({ origin }) => origin,
  }),
  openaiLikeSdk({
    library: 'ai21',
    provider: 'ai21',
    exported: 'AI21',
    dialects: ['chat'],
    baseUrl: ({ origin, base }) => origin + base,
  }),
];
