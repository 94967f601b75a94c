import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { GatewayResponse, Sink, StreamEnd, UpstreamBody } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { type RunningConfig, runConfig } from '../in-process/run-config.ts';
import { sampleExchange } from '../in-process/sample-exchange.ts';
import { speaking, streamedRequest } from '../plugins/speaking.ts';
import type { TornBy } from './torn-stream.ts';

/** Bytes in chunks, and how they end. */
class TornBody implements UpstreamBody {
  readonly #chunks: readonly Buffer[];
  readonly #by: TornBy;
  #isDiscarded = false;

  constructor(chunks: readonly Buffer[], by: TornBy) {
    this.#chunks = chunks;
    this.#by = by;
  }

  collect(): Promise<Buffer> {
    return Promise.resolve(Buffer.concat(this.#chunks));
  }

  start(sink: Sink): void {
    for (const chunk of this.#chunks) if (!this.#isDiscarded) sink.write(chunk);
    if (this.#isDiscarded) return;
    if (this.#by === 'end') sink.end();
    else sink.fail(errorReport('connection-lost', { host: 'speaker', reason: 'it was reset.' }));
  }

  discard(): void {
    this.#isDiscarded = true;
  }
}

export interface TornRoad {
  readonly client: Dialect;
  readonly upstream: Dialect;
  /** The client's framing. Defaults to that of its dialect. */
  readonly framing?: Framing;
  readonly config?: JsonObject;
  readonly guardrails?: Plugin['guardrails'];
  /** Whether the caller requests its usage with `x-gw-usage`. */
  readonly asksUsage?: boolean;
}

export interface TornOutcome {
  readonly status: number;
  readonly end: StreamEnd | 'refused';
  /** As the client received it. */
  readonly text: string;
  readonly bytes: Buffer;
  /** The frames of a stream, all of which are complete. */
  readonly frames: readonly Frame[];
  readonly usage: UsageRecord | undefined;
  /** The cache status of the same request when it is repeated. */
  readonly again: string | undefined;
}

const framesIn = (framing: Framing, bytes: Buffer): readonly Frame[] => {
  const splitter = framing.createSplitter();
  const { frames } = splitter.push(bytes);
  const rest = splitter.rest();
  if (rest.isTorn || rest.frames.length > 0) throw new Error(`The client is given ${JSON.stringify(String(bytes))}.`);
  return frames.map(({ end: _end, ...frame }) => frame);
};

const receive = ({ body }: GatewayResponse): Promise<{ readonly bytes: Buffer; readonly end: TornOutcome['end'] }> => {
  if (body.kind === 'bytes') return Promise.resolve({ bytes: Buffer.from(body.bytes), end: 'refused' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    body.onEnd((end) => resolve({ bytes: Buffer.concat(chunks), end }));
    body.start({
      write: (chunk) => {
        chunks.push(Buffer.from(chunk));
        return true;
      },
      onDrain: () => {},
      end: () => {},
      fail: () => {},
    });
  });
};

/** Returns what the last event of a stream is for its client, according to the codec of its dialect: `end` or `error`. */
export const lastEvent = (dialect: Dialect, frames: readonly Frame[]): string | undefined => {
  const decoder = findAnswerCodec(dialect)?.streamDecoder({ scope: 'here' });
  if (decoder === undefined) return undefined;
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()].at(-1)?.kind;
};

/** A gateway with a cache whose provider sends what a test specifies. Each run is a different request. */
export class TornBench {
  readonly #road: TornRoad;
  readonly #running: RunningConfig;
  readonly #framing: Framing;
  #body: () => UpstreamBody = () => new TornBody([], 'end');
  #runs = 0;

  constructor(road: TornRoad) {
    const { client, upstream, framing = framings[client.framing ?? 'sse'], config, guardrails = [] } = road;
    this.#road = road;
    this.#framing = framing;
    const headers = ['content-type', providerFraming(upstream).contentType];
    this.#running = runConfig(
      { provider: 'speaker', cache: { mode: 'simple' }, ...config },
      {
        upstream: () => ({ kind: 'answer', status: 200, headers, body: this.#body() }),
        plugins: [speaking(upstream), definePlugin({ name: 'of-the-bench', guardrails })],
        usage: true,
      },
    );
  }

  async run(chunks: readonly Buffer[], by: TornBy): Promise<TornOutcome> {
    this.#body = () => new TornBody(chunks, by);
    this.#runs += 1;
    const text = `It is run ${this.#runs}.`;
    const first = await this.#ask(text);
    const { leaf } = (await this.#ask(text)).response;
    const { response, trail, bytes, end } = first;
    const settled = trail.findLast((event) => event.kind === 'settled');
    return {
      status: response.status,
      end,
      bytes,
      text: bytes.toString(),
      frames: end === 'refused' ? [] : framesIn(this.#framing, bytes),
      usage: settled?.kind === 'settled' ? settled.usage : undefined,
      again: leaf?.cache,
    };
  }

  async #ask(text: string) {
    const { client, asksUsage = false } = this.#road;
    const exchange = sampleExchange(streamedRequest(client, text), {
      route: { operation: client.operation, dialect: client.id, model: 'm', stream: true, framing: this.#framing.id },
      overrides: asksUsage ? { usage: true } : {},
      trail: [],
    });
    const response = await this.#running.handle(exchange);
    const received = await this.#running.clock.settle(receive(response));
    return { response, trail: exchange.trail, ...received };
  }
}
