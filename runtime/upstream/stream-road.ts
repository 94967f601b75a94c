import type { Dialect, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import { RawWalk } from './raw-walk.ts';
import type { RoadWalk } from './road-walk.ts';
import { stagedWalk } from './staged-walk.ts';
import { TranslatedWalk } from './translated-walk.ts';

/** Between which dialects a stream goes, and what is done to it on the way. */
export interface StreamRoad {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** Absent where both speak the same dialect: bytes go on as received. */
  readonly translate?: { readonly decoder: StreamDecoder; readonly encoder: StreamEncoder };
  /** They see frames in the client's dialect. */
  readonly stages?: readonly StreamStage[];
}

/** Sets out on a road, for one stream. */
export const walkRoad = ({ upstream, client, translate, stages = [] }: StreamRoad): RoadWalk => {
  const walk =
    translate === undefined ? new RawWalk({ upstream, client }) : new TranslatedWalk({ upstream, ...translate });
  return stages.length === 0 ? walk : stagedWalk(walk, stages);
};
