import type { Cancellation, StreamEnd, UpstreamBody } from '../../../plugins/sdk/http/http.ts';
import { createRelay, type StreamTranslation } from '../../../runtime/streams/create-relay.ts';
import { openStream } from '../../../runtime/streams/stream-gate.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { errorText } from '../../../schema/text/error-text.ts';

/** What a client receives of a stream. */
export interface Relayed {
  readonly bytes: Buffer;
  /** `silent`: nothing reports that the stream is over. */
  readonly end: StreamEnd | 'refused' | 'torn' | 'silent';
}

/** The result of relaying a stream, and how the relay reports that the stream ended. */
export interface Outcome {
  readonly bytes: Buffer;
  readonly end: string;
}

/** Relays a stream that arrives in these chunks and then ends normally. */
export const relay = (translation: StreamTranslation, chunks: readonly Buffer[]): Outcome => {
  const relaying = createRelay(translation);
  const sent: Buffer[] = [];
  const outcome = (end: string): Outcome => ({ bytes: Buffer.concat(sent), end });
  const steps = [...chunks.map((chunk) => () => relaying.push(chunk)), () => relaying.finish()];
  try {
    for (const step of steps) {
      const { bytes, broken } = step();
      // A relay may return the same object again.
      sent.push(Buffer.from(bytes));
      if (broken?.kind === 'error') sent.push(broken.bytes);
      if (broken !== undefined) return outcome(broken.kind);
    }
  } catch (error) {
    return outcome(errorText(error));
  }
  return outcome('whole');
};

/** A body that writes all its chunks as soon as it has a sink, even if the sink is full. */
const toBody = (chunks: readonly Buffer[], isCut: boolean): UpstreamBody => {
  let isDiscarded = false;
  return {
    collect: () => Buffer.concat(chunks),
    start: (sink) => {
      for (const chunk of chunks) if (!isDiscarded) sink.write(chunk);
      if (isDiscarded) return;
      if (isCut) sink.fail(errorReport('stream-cut', {}));
      else sink.end();
    },
    discard: () => {
      isDiscarded = true;
    },
  };
};

const never: Cancellation = { cancelled: false, onCancel: () => () => {} };
const clock = { monotonic: () => 0, wall: () => 0, after: () => () => {} };

/** The time that a gate may take to answer after its upstream has ended: none. */
const atOnce = (): Promise<'silent'> => new Promise((resolve) => setImmediate(resolve, 'silent'));

/** Sends a stream through the gate that all streams pass. */
export const throughGate = async (
  translation: StreamTranslation,
  chunks: readonly Buffer[],
  isCut: boolean,
): Promise<Relayed> => {
  const body = toBody(chunks, isCut);
  const opening = openStream({ body, translation, clock, idleMs: 1000, cancellation: never });
  const opened = await Promise.race([opening, atOnce()]);
  if (opened === 'silent') throw new Error('The gate did not say whether the answer has begun.');
  if (opened.kind === 'refused') return { bytes: Buffer.alloc(0), end: 'refused' };
  const sent: Uint8Array[] = [];
  let end: StreamEnd | 'torn' | 'silent' = 'silent';
  opened.body.onEnd((how) => {
    end = how;
  });
  opened.body.start({
    write: (bytes) => sent.push(bytes) > 0,
    onDrain: () => {},
    end: () => {},
    fail: () => {
      end = 'torn';
    },
  });
  return { bytes: Buffer.concat(sent), end };
};
