import type { Dialect, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import { SameDialectRelay } from './same-dialect-relay.ts';
import { stagedRelay } from './staged-relay.ts';
import type { StreamRelay } from './stream-relay.ts';
import { TranslatedRelay } from './translated-relay.ts';

/** Between which dialects a stream goes, and what is done to it on the way. */
export interface StreamTranslation {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** Absent where both speak the same dialect: bytes go on as received. */
  readonly translate?: { readonly decoder: StreamDecoder; readonly encoder: StreamEncoder };
  /** They see frames in the client's dialect. */
  readonly stages?: readonly StreamStage[];
}

/** Sets out on a translation, for one stream. */
export const createRelay = ({ upstream, client, translate, stages = [] }: StreamTranslation): StreamRelay => {
  const relay =
    translate === undefined
      ? new SameDialectRelay({ upstream, client })
      : new TranslatedRelay({ upstream, ...translate });
  return stages.length === 0 ? relay : stagedRelay(relay, stages);
};
