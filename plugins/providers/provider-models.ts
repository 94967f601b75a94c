import type { PluginModels } from '../sdk/models/plugin-models.ts';
import { anthropicModels } from './facts/anthropic.ts';
import { bedrockModels } from './facts/bedrock.ts';
import { cohereModels } from './facts/cohere.ts';
import { deepseekModels } from './facts/deepseek.ts';
import { googleModels } from './facts/google.ts';
import { groqModels } from './facts/groq.ts';
import { mistralModels } from './facts/mistral-ai.ts';
import { openaiModels } from './facts/openai.ts';
import { type StatedModels, toStatedFacts } from './facts/stated-models.ts';
import { vertexModels } from './facts/vertex-ai.ts';
import { xAiModels } from './facts/x-ai.ts';
import { anthropicList } from './lists/anthropic-list.ts';
import { cohereList } from './lists/cohere-list.ts';
import { googleList } from './lists/google-list.ts';
import { mistralList } from './lists/mistral-list.ts';
import { openaiList } from './lists/openai-list.ts';
import { openrouterList } from './lists/openrouter-list.ts';

/** The tables of models, a file each in `facts/`. */
export const statedModels: readonly StatedModels[] = [
  anthropicModels,
  bedrockModels,
  cohereModels,
  deepseekModels,
  googleModels,
  groqModels,
  mistralModels,
  openaiModels,
  vertexModels,
  xAiModels,
];

/** The facts of the models of first-party providers, and how their own lists are read. */
export const providerModels: PluginModels = {
  facts: statedModels.flatMap(toStatedFacts),
  lists: {
    anthropic: anthropicList,
    cohere: cohereList,
    google: googleList,
    'mistral-ai': mistralList,
    openrouter: openrouterList,
  },
  openaiList,
};
