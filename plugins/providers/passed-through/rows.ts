import type { Provider } from '../../sdk/provider/provider.ts';
import { meshy } from './meshy.ts';
import { milvus } from './milvus.ts';
import { palm } from './palm.ts';
import { qdrant } from './qdrant.ts';
import { replicate } from './replicate.ts';
import { segmind } from './segmind.ts';
import { tripo3d } from './tripo3d.ts';

/** Every service whose paths are all passed through, sorted by id. */
export const passedThroughProviders: readonly Provider[] = [meshy, milvus, palm, qdrant, replicate, segmind, tripo3d];
