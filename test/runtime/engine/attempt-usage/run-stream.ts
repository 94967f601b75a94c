import type { GatewayResponse, Sink, UpstreamBody } from '../../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../../../runtime/async/cancellation-source.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import type { Road } from './stream-wires.ts';

export type Ending = 'end' | 'cut' | 'leave';

export interface StreamRun {
  readonly road: Road;
  readonly body: JsonObject;
  readonly chunks: readonly Buffer[];
  /** What happens after the last chunk. */
  readonly ending: Ending;
  /** Whether the caller requests usage with `x-gw-usage: true`. Otherwise the gateway file does. */
  readonly byCaller?: boolean;
}

export interface StreamOutcome {
  readonly status: number;
  readonly received: string;
  readonly trail: readonly TrailEvent[];
  /** The body that the provider received. */
  readonly sent: JsonObject;
}

/** A body whose chunks have arrived, and which continues when the test calls `finish`. */
class PausedBody implements UpstreamBody {
  readonly #chunks: readonly Buffer[];
  #sink: Sink | undefined;

  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks;
  }

  async collect(): Promise<Buffer> {
    return Buffer.concat(this.#chunks);
  }

  start(sink: Sink): void {
    this.#sink = sink;
    for (const chunk of this.#chunks) sink.write(chunk);
  }

  finish(ending: 'end' | 'cut'): void {
    if (ending === 'end') this.#sink?.end();
    else this.#sink?.fail(errorReport('connection-lost', { host: 'stub', reason: 'it was reset.' }));
  }

  discard(): void {}
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const received = ({ body }: GatewayResponse): string => {
  if (body.kind === 'bytes') return body.bytes.toString();
  let text = '';
  body.start({
    write: (chunk) => {
      text += Buffer.from(chunk).toString();
      return true;
    },
    onDrain: () => {},
    end: () => {},
    fail: () => {},
  });
  return text;
};

/** Runs one streamed request and returns its outcome. */
export const runStream = async ({
  road,
  body,
  chunks,
  ending,
  byCaller = false,
}: StreamRun): Promise<StreamOutcome> => {
  const upstream = new PausedBody(chunks);
  const config = { provider: road.provider, api_key: '${env:KEY}' };
  const { gateway, linked, upstreams } = runConfig(config, {
    upstream: () => ({ kind: 'answer', status: 200, headers: ['content-type', 'text/event-stream'], body: upstream }),
    usage: !byCaller,
  });
  const cancellation = new CancellationSource();
  const exchange = sampleExchange(body, {
    route: road.route,
    cancellation,
    overrides: byCaller ? { usage: true } : {},
  });
  const answering = gateway.handle(exchange, linked);
  await nextTurn();
  if (ending === 'leave') cancellation.cancel();
  else upstream.finish(ending);
  const response = await answering;
  if (ending === 'leave' && response.body.kind === 'stream') response.body.discard();
  const text = ending === 'leave' ? '' : received(response);
  const request = upstreams.requests[0]?.body;
  const sent = request?.kind === 'bytes' ? JSON.parse(Buffer.from(request.bytes).toString()) : {};
  return { status: response.status, received: text, trail: exchange.trail, sent };
};
