import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Framing } from '../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../plugins/sdk/framings/provider-framing.ts';
import type { GatewayResponse, StreamEnd, UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { scriptedBody } from '../../../plugins/sdk/http/scripted-body.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../plugins/sdk/provider/provider.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { type RunningConfig, runConfig } from '../in-process/run-config.ts';
import { sampleExchange } from '../in-process/sample-exchange.ts';
import { stubAnswer } from '../in-process/stub-upstreams.ts';
import { streamedRequest } from '../plugins/speaking.ts';

const names = ['first', 'second', 'third'] as const;
type Name = (typeof names)[number];

/** Three providers, each with one dialect. */
const speaking = (dialects: readonly Dialect[]): Plugin =>
  definePlugin({
    name: 'speaking-in-turn',
    providers: dialects.map(({ id }, at) =>
      defineProvider({
        id: names[at] ?? '',
        documentation: 'here',
        baseUrl: `https://${names[at]}.example`,
        credential: 'none',
        speaks: { [id]: '/say' },
        headers: () => [],
      }),
    ),
  });

/** A stream that an upstream sends, or an error instead. */
export type SentStream =
  | {
      readonly frames: readonly Frame[];
      /** How it ends. `silence` means that it does not end. */
      readonly end: 'complete' | 'cut' | 'silence';
    }
  | { readonly status: number };

export interface ContinuedRoad {
  readonly client: Dialect;
  /** The dialects of the targets, in order. */
  readonly upstreams: readonly Dialect[];
  readonly config?: JsonObject;
  readonly targets?: readonly JsonObject[];
  readonly guardrails?: Plugin['guardrails'];
  readonly framing?: Framing;
  /** Whether the gateway itself consumes usage. Default: yes. */
  readonly usage?: boolean;
}

export interface ContinuedOutcome {
  readonly status: number;
  readonly end: StreamEnd | 'refused';
  readonly bytes: string;
  readonly events: readonly AnswerEvent[];
  readonly text: string;
  readonly trail: readonly TrailEvent[];
  /** The bodies that were sent, with the names of their targets. */
  readonly sent: readonly (readonly [Name, string])[];
  readonly trailers: readonly (readonly [string, string])[];
}

const receive = (
  { body }: GatewayResponse,
  trailers: [string, string][],
): Promise<{ readonly bytes: Buffer; readonly end: ContinuedOutcome['end'] }> => {
  if (body.kind === 'bytes') return Promise.resolve({ bytes: Buffer.from(body.bytes), end: 'refused' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    body.onEnd((end) => resolve({ bytes: Buffer.concat(chunks), end }));
    body.start({
      write: (chunk) => chunks.push(Buffer.from(chunk)) > 0,
      onDrain: () => {},
      trailer: (name, value) => void trailers.push([name, value]),
      end: () => {},
      fail: () => {},
    });
  });
};

const isOf = (name: Name, { origin }: UpstreamRequest): boolean => origin.includes(name);

/** A gateway with a fallback that continues streams, and the streams that its providers send. */
export class ContinuedBench {
  readonly #road: ContinuedRoad;
  readonly #running: RunningConfig;
  readonly #framing: Framing;
  #streams: readonly SentStream[] = [];
  #sent: [Name, string][] = [];

  constructor(road: ContinuedRoad) {
    const { client, upstreams, config, targets = [], guardrails = [], framing, usage = true } = road;
    this.#road = road;
    this.#framing = framing ?? framings[client.framing ?? 'sse'];
    this.#running = runConfig(
      {
        strategy: { mode: 'fallback', continue: true },
        targets: upstreams.map((_, at) => ({ provider: names[at] ?? '', ...targets[at] })),
        ...config,
      },
      {
        upstream: (request, scope) => {
          const name = names.find((each) => isOf(each, request)) ?? 'first';
          const at = names.indexOf(name);
          const stream = this.#streams[at];
          const dialect = upstreams[at];
          if (dialect === undefined || stream === undefined) throw new RangeError(`Nothing is sent by ${name}.`);
          const { body } = request;
          this.#sent.push([name, body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '']);
          if ('status' in stream) return stubAnswer({}, { status: stream.status });
          const { contentType, createWriter } = providerFraming(dialect);
          const writer = createWriter();
          const lost = errorReport('connection-lost', { host: name, reason: 'it was reset.' });
          const steps = stream.frames.map((frame) => ({ bytes: writer.write([frame]) }));
          const end = stream.end === 'cut' ? lost : stream.end;
          const timers = this.#running.clock;
          return {
            kind: 'answer',
            status: 200,
            headers: ['content-type', contentType],
            body: scriptedBody({ steps, end }, { timers, cancellation: scope.cancellation }),
          };
        },
        plugins: [speaking(upstreams), definePlugin({ name: 'of-the-bench', guardrails })],
        usage,
      },
    );
  }

  async run(
    streams: readonly SentStream[],
    more: JsonObject = {},
    given: Partial<Pick<Exchange, 'overrides' | 'cancellation'>> = {},
  ): Promise<ContinuedOutcome> {
    const { client } = this.#road;
    this.#streams = streams;
    this.#sent = [];
    const request = { ...streamedRequest(client, 'Say something.', 1000), ...more };
    const exchange = sampleExchange(request, {
      route: { operation: client.operation, dialect: client.id, model: 'm', stream: true, framing: this.#framing.id },
      trail: [],
      ...given,
    });
    const response = await this.#running.handle(exchange);
    const trailers: [string, string][] = [];
    const { bytes, end } = await this.#running.clock.settle(receive(response, trailers));
    const events = end === 'refused' ? [] : this.#read(bytes);
    const text = events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('');
    const { trail } = exchange;
    return { status: response.status, end, bytes: bytes.toString(), events, text, trail, sent: this.#sent, trailers };
  }

  /** Lets a minute pass, for work that continues after an answer. */
  async wait(): Promise<void> {
    const { clock } = this.#running;
    await clock.settle(new Promise<void>((resolve) => clock.after(60_000, resolve)));
  }

  #read(bytes: Buffer): readonly AnswerEvent[] {
    const decoder = findAnswerCodec(this.#road.client)?.streamDecoder({ scope: 'here' });
    if (decoder === undefined) throw new RangeError('The client cannot be read.');
    const splitter = this.#framing.createSplitter();
    const { frames } = splitter.push(bytes);
    if (splitter.rest().isTorn) throw new Error(`The client is given ${bytes.toString()}.`);
    return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  }
}
