import type { Provider } from '../sdk/provider/provider.ts';
import { anthropic } from './anthropic.ts';
import { azureAi } from './azure-ai/azure-ai.ts';
import { azureOpenai } from './azure-openai/azure-openai.ts';
import { bedrock } from './bedrock/bedrock.ts';
import { cohere } from './cohere.ts';
import { echo } from './echo/echo.ts';
import { google } from './google.ts';
import { vertexAi } from './vertex-ai/vertex-ai.ts';

/** Every service with an API of its own, or with an account of its own kind, sorted by id. */
export const ownProtocols: readonly Provider[] = [
  anthropic,
  azureAi,
  azureOpenai,
  bedrock,
  cohere,
  echo,
  google,
  vertexAi,
];
