import type { AnswerEdit } from '../../plugins/sdk/dialect/answer-edit.ts';
import type { Dialect, StreamDecoder, StreamEncoder } from '../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../plugins/sdk/framings/framing.ts';
import { sse } from '../../plugins/sdk/framings/sse.ts';
import type { UsageMeter } from '../usage/usage-meter.ts';
import { ClientFrames, type Trailer } from './client-frames.ts';
import { bothEditors, FrameEdits } from './frame-edits.ts';
import { ReframedRelay } from './reframed-relay.ts';
import { SameDialectRelay } from './same-dialect-relay.ts';
import { type RelayStages, StagedRelay } from './staged-relay.ts';
import type { StreamRelay } from './stream-relay.ts';
import { UsageStripper } from './strip-usage.ts';
import { TranslatedRelay } from './translated-relay.ts';

/** How to read the frames of a stream, and how to write its client's. */
export interface StreamCoding {
  readonly decoder: StreamDecoder;
  readonly encoder: StreamEncoder;
}

/** The stages that see the events of a stream. */
export interface Staging extends StreamCoding, RelayStages {
  /** The gateway's own frames at the end of the stream. */
  readonly trailer?: Trailer;
}

/** The dialects and framings of a stream, and its stages. */
export interface StreamTranslation {
  readonly upstream: Dialect;
  readonly client: Dialect;
  /** The upstream's framing. Default: server-sent events. */
  readonly from?: Framing;
  /** The client's framing. Default: server-sent events. */
  readonly to?: Framing;
  /** Absent if both speak the same dialect, so that frames are passed on as received. */
  readonly translate?: StreamCoding;
  /** Absent if there are no stages. */
  readonly staging?: Staging | undefined;
  /** Absent if nothing consumes usage. */
  readonly meter?: UsageMeter | undefined;
  /** How many choices the request asks for. Default: one. */
  readonly choices?: number;
  /** The member that frames have only because the gateway requested usage. It is removed. */
  readonly strip?: string | undefined;
  /** Changes to the upstream's frames before anything else reads them. If absent, there are none. */
  readonly edits?: readonly AnswerEdit[] | undefined;
}

/** A frame of an array may have a comma before it: if frames are written beside received bytes, that would depend on them. */
const standsAlone = ({ id }: Framing): boolean => id !== 'json-array';

/** Creates the relay for one stream. Bytes are passed on as received if nothing in them has to change. */
export const createRelay = ({
  upstream,
  client,
  from = sse,
  to = sse,
  translate,
  staging,
  meter,
  strip,
  edits: answerEdits = [],
  choices = 1,
}: StreamTranslation): StreamRelay => {
  const edits = answerEdits.length === 0 ? undefined : new FrameEdits(answerEdits);
  const stripper = strip === undefined ? undefined : new UsageStripper({ dialect: client, member: strip });
  if (staging !== undefined) {
    const frames = new ClientFrames(to, staging.trailer);
    return new StagedRelay({
      upstream,
      client,
      framing: from,
      frames,
      asReceived: translate === undefined,
      ...staging,
      meter,
      stripper,
      edits,
      choices,
    });
  }
  const frames = new ClientFrames(to);
  if (translate !== undefined)
    return new TranslatedRelay({ upstream, client, framing: from, frames, ...translate, meter, edits });
  const editor = bothEditors(edits, stripper);
  if (from.id === to.id && standsAlone(to))
    return new SameDialectRelay({ dialect: client, framing: to, meter, editor, choices });
  return new ReframedRelay({ dialect: client, framing: from, frames, meter, editor, choices });
};
