import type { Dialect, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';
import { SameDialectRelay } from './same-dialect-relay.ts';
import { stagedRelay } from './staged-relay.ts';
import type { StreamRelay } from './stream-relay.ts';
import { TranslatedRelay } from './translated-relay.ts';

/** The dialects of a stream, and its stages. */
export interface StreamTranslation {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** Absent if both speak the same dialect: bytes are passed on as received. */
  readonly translate?: { readonly decoder: StreamDecoder; readonly encoder: StreamEncoder };
  /** They see frames in the client's dialect. */
  readonly stages?: readonly StreamStage[];
}

/** Creates the relay for one stream. */
export const createRelay = ({ upstream, client, translate, stages = [] }: StreamTranslation): StreamRelay => {
  const relay =
    translate === undefined
      ? new SameDialectRelay({ upstream, client })
      : new TranslatedRelay({ upstream, ...translate });
  return stages.length === 0 ? relay : stagedRelay(relay, stages);
};
