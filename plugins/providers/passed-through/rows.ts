import type { Provider } from '../../sdk/provider/provider.ts';
import { meshy } from './meshy.ts';
import { milvus } from './milvus.ts';
import { nomic } from './nomic.ts';
import { palm } from './palm.ts';
import { qdrant } from './qdrant.ts';
import { recraftAi } from './recraft-ai.ts';
import { replicate } from './replicate.ts';
import { segmind } from './segmind.ts';
import { stabilityAi } from './stability-ai.ts';
import { tripo3d } from './tripo3d.ts';

/** Every service of which all paths are passed through, sorted by id. */
export const passedThroughProviders: readonly Provider[] = [
  meshy,
  milvus,
  nomic,
  palm,
  qdrant,
  recraftAi,
  replicate,
  segmind,
  stabilityAi,
  tripo3d,
];
