import type { Provider } from '../sdk/provider/provider.ts';
import { mistralAi } from './mistral-ai/mistral-ai.ts';
import { nomic } from './nomic.ts';
import { oracle } from './oracle/oracle.ts';
import { recraftAi } from './recraft-ai.ts';
import { sagemaker } from './sagemaker/sagemaker.ts';
import { stabilityAi } from './stability-ai.ts';
import { watsonx } from './watsonx/watsonx.ts';

/** Services with an account or an API of their own that few configs use, each in a file or folder of its name; sorted by id. */
export const lateProtocols: readonly Provider[] = [
  mistralAi,
  nomic,
  oracle,
  recraftAi,
  sagemaker,
  stabilityAi,
  watsonx,
];
