import type { Provider } from '../sdk/provider.ts';
import { anthropic } from './anthropic.ts';
import { azureOpenai } from './azure-openai/azure-openai.ts';
import { echo } from './echo/echo.ts';
import { groq } from './groq.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';

/** Every provider that comes with the gateway, sorted by id. */
export const builtinProviders: readonly Provider[] = [anthropic, azureOpenai, echo, groq, ollama, openai];
