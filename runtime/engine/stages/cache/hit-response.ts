import type { CacheEntry } from '../../../../plugins/sdk/cache/cache.ts';
import type { Cancellation, GatewayResponse, Sink, StreamBody, StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../../plugins/sdk/http/to-buffer.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { usageHeaders } from '../../../usage/usage-lines.ts';
import { StreamEnding } from '../../attempt/answer/stream-ending.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { outgoingModel } from '../../call/requested-model-and-stream.ts';
import { droppedHeader } from '../../forwarded-headers/dropped-params.ts';

/** A stored stream: a single write, and the end once the client has read it. */
class ReplayedStream implements StreamBody {
  readonly kind = 'stream';
  readonly #bytes: Uint8Array;
  readonly #ending = new StreamEnding();

  constructor(bytes: Uint8Array, cancellation: Cancellation) {
    this.#bytes = bytes;
    const stop = cancellation.onCancel(() => this.#ending.finish('left'));
    this.#ending.onEnd(() => stop());
  }

  start(sink: Sink): void {
    const end = (): void => {
      sink.end();
      this.#ending.finish('complete');
    };
    if (sink.write(this.#bytes)) end();
    else sink.onDrain(end);
  }

  discard(): void {
    this.#ending.finish('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }
}

export interface HitAge {
  /** Seconds since it was stored. */
  readonly ageS: number;
  /** Seconds for which it is still fresh. 0 or less for an answer that replaces a failure. */
  readonly freshS: number;
}

/** A hit uses nothing and costs nothing. */
const nothingUsed = (model: string): UsageRecord => ({
  kind: 'none',
  model,
  input: { total: 0 },
  output: { total: 0 },
  cost: { nanoUsd: 0, prices: 'cache' },
});

/**
 * Returns a stored answer as the leaf's answer. `age` is that of RFC 9111 §5.1. An answer that is no longer fresh is reported in
 * `cache-status` with an expired time to live (RFC 9211 §2.4), because `x-gw-cache-status` has no word for it.
 */
export const hitResponse = (call: LeafCall, entry: CacheEntry, { ageS, freshS }: HitAge): GatewayResponse => {
  const { exchange, outgoing } = call;
  const dropped = outgoing?.dropped;
  const usage = exchange.overrides.usage === true ? nothingUsed(outgoingModel(call) ?? '') : undefined;
  return {
    status: 200,
    headers: [
      ...entry.headers,
      'age',
      String(ageS),
      ...(freshS <= 0 ? ['cache-status', `gatewright; hit; ttl=${freshS}`] : []),
      ...(dropped === undefined ? [] : [droppedHeader, dropped]),
      ...(usage === undefined ? [] : usageHeaders(usage)),
    ],
    origin: 'cache',
    body: entry.isStream
      ? new ReplayedStream(entry.body, exchange.cancellation)
      : { kind: 'bytes', bytes: toBuffer(entry.body) },
    leaf: call.report,
    ...(usage === undefined ? {} : { usage }),
  };
};
