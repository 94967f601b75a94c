import type { Provider } from '../sdk/provider/provider.ts';
import { anthropic } from './anthropic.ts';
import { azureAi } from './azure-ai/azure-ai.ts';
import { azureOpenai } from './azure-openai/azure-openai.ts';
import { bedrock } from './bedrock/bedrock.ts';
import { cohere } from './cohere.ts';
import { echo } from './echo/echo.ts';
import { fireworksAi } from './fireworks-ai.ts';
import { google } from './google.ts';
import { groq } from './groq.ts';
import { mistralAi } from './mistral-ai/mistral-ai.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { vertexAi } from './vertex-ai/vertex-ai.ts';

/** Every provider that comes with the gateway, sorted by id. */
export const builtinProviders: readonly Provider[] = [
  anthropic,
  azureAi,
  azureOpenai,
  bedrock,
  cohere,
  echo,
  fireworksAi,
  google,
  groq,
  mistralAi,
  ollama,
  openai,
  vertexAi,
];
