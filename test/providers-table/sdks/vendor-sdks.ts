import { claudeOnAzureSdk } from './claude-on-azure-sdk.ts';
import { cohereOnBedrockSdk } from './cohere-on-bedrock-sdk.ts';
import { embedContentSdk } from './embed-content-sdk.ts';
import { huggingfaceSdk } from './huggingface-sdk.ts';
import { mistralSdk } from './mistral-sdk.ts';
import { ocrOnAzureSdk } from './ocr-on-azure-sdk.ts';
import { openaiLikeSdk } from './openai-like-sdk.ts';
import { openrouterSdk } from './openrouter-sdk.ts';
import { rankingSdk } from './ranking-sdk.ts';
import { togetherSdk } from './together-sdk.ts';
import type { VendorSdk } from './vendor-sdk.ts';
import { claudeOnVertexSdk, geminiOnVertexSdk } from './vertex-sdks.ts';
import { voyageSdk } from './voyage-sdk.ts';
import { watsonxSdk } from './watsonx-sdk.ts';

/** The libraries that `npm run providers:sdks` installs. If two support the same format of a provider, the first one is used. */
export const vendorSdks: readonly VendorSdk[] = [
  mistralSdk,
  openrouterSdk,
  voyageSdk,
  geminiOnVertexSdk,
  claudeOnVertexSdk,
  rankingSdk,
  claudeOnAzureSdk,
  cohereOnBedrockSdk,
  embedContentSdk,
  huggingfaceSdk,
  watsonxSdk,
  ocrOnAzureSdk,
  togetherSdk,
  openaiLikeSdk({
    library: 'groq-sdk',
    provider: 'groq',
    dialects: ['chat', 'speech', 'transcriptions', 'translations'],
    baseUrl: ({ origin }) => origin,
  }),
  openaiLikeSdk({
    library: 'cometapi',
    provider: 'cometapi',
    exported: 'CometAPI',
    // The library has the other methods of OpenAI's as well, but the vendor does not support them.
    dialects: ['chat', 'responses'],
    baseUrl: ({ origin, base }) => origin + base,
  }),
  openaiLikeSdk({
    library: '@cerebras/cerebras_cloud_sdk',
    provider: 'cerebras',
    dialects: ['chat', 'completions'],
    baseUrl: ({ origin }) => origin,
    // By default the library first sends a request only to open a connection.
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
