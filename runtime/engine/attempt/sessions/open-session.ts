import type { GatewayResponse, Sink, StreamBody, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import { passedHeaders } from '../../forwarded-headers/answer-head.ts';
import type { Answered } from '../answer/read-answer.ts';
import type { RelayBody, RelayOptions } from '../answer/relay-body.ts';
import { FrameReader } from './frame-reader.ts';
import { FramedBody } from './framed-body.ts';
import { SessionEvents } from './session-events.ts';
import { SessionOutlet } from './session-outlet.ts';
import { SessionUsage, type SessionUsageOptions } from './session-usage.ts';

/** The maximum size of an event that is read. Those that report usage also contain the response, without its audio. */
const maxEventBytes = 1024 * 1024;

/** After how many milliseconds without a byte from either side a session ends: clients may wait for their users. */
const idleMs = 600_000;

export interface SessionOptions extends Omit<SessionUsageOptions, 'model' | 'onRefused'> {
  readonly scope: Pick<AttemptScope, 'disarm'>;
  /** Relays the provider's bytes. A parameter, because this module is loaded later than the gateway. */
  readonly relayed: (body: UpstreamBody, options: Pick<RelayOptions, 'idleMs' | 'isUploading'>) => RelayBody;
  /** Called once, with the usage of the session. */
  readonly report: (used: UsageRecord) => void;
  /** Returns why nothing could be reserved. */
  readonly toReport: (error: unknown) => Parameters<Sink['fail']>[0];
}

/** The client's bytes on their way to the provider. */
class ClientBytes implements Sink {
  readonly #sink: Sink;
  #hasMoved = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Whether there were any since the last call. */
  readonly hasMoved = (): boolean => {
    const moved = this.#hasMoved;
    this.#hasMoved = false;
    return moved;
  };

  write(chunk: Uint8Array): boolean {
    this.#hasMoved = true;
    return this.#sink.write(chunk);
  }

  onDrain(resume: () => void): void {
    this.#sink.onDrain(resume);
  }

  end(): void {
    this.#sink.end();
  }

  fail(...[error]: Parameters<Sink['fail']>): void {
    this.#sink.fail(error);
  }
}

/**
 * Relays a WebSocket that the provider has opened, unchanged in both directions. What models use in it is counted turn by turn,
 * and the session ends with an error once a limit allows no further one.
 */
export const openSession = (
  call: LeafCall,
  { status, headers, body, toUpstream }: Answered & { readonly toUpstream: Sink },
  { scope, relayed, report, toReport, ...counting }: SessionOptions,
): GatewayResponse => {
  const { provider, host } = call.target;
  const usage = new SessionUsage({
    ...counting,
    model: call.outgoing?.model ?? '',
    onRefused: (error) => relay.cut(toReport(error)),
  });
  const events = new SessionEvents((turn) => usage.add(turn));
  const onText = call.isMetered ? (text: Buffer) => events.read(text) : undefined;
  const frames = new FrameReader({ maxBytes: maxEventBytes, onText });
  const client = new ClientBytes(toUpstream);
  scope.disarm();
  const framed = new FramedBody(body, frames, { provider: provider.id, host });
  const relay = relayed(framed, { idleMs, isUploading: client.hasMoved });
  relay.onEnd(() => {
    events.end();
    const used = usage.end();
    // Models that transcribe have records of their own in the ledger.
    report({ ...used, model: events.model ?? used.model });
  });
  const shown: StreamBody = {
    kind: 'stream',
    start: (sink) => relay.start(new SessionOutlet(sink, frames)),
    discard: () => relay.discard(),
    onEnd: (listener) => relay.onEnd(listener),
  };
  return {
    status,
    headers: passedHeaders(headers),
    origin: 'upstream',
    body: shown,
    toUpstream: client,
    leaf: call.report,
  };
};
