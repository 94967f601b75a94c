import type { Reply, ScenarioUpstream } from '../../compiler/meaning/scenario.ts';
import type {
  RawHeaders,
  Scope,
  Sink,
  Upstream,
  UpstreamAnswer,
  UpstreamBody,
  UpstreamFailure,
  UpstreamRequest,
} from '../../plugins/sdk/http/http.ts';
import type { Upstreams } from '../../runtime/ports/upstreams.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';

/** A call as it went out, in order. */
export interface SentCall {
  readonly target: string;
  readonly attempt: number;
}

export interface ScriptedUpstreams extends Upstreams {
  readonly sent: readonly SentCall[];
  /** Bodies that nobody has taken, or that somebody has taken twice. */
  readonly strayBodies: number;
}

const answerText =
  '{"id":"a","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"yes"},"finish_reason":"stop"}]}';
const frame = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const begin = frame({ role: 'assistant', content: '' }, null);
const content = frame({ content: 'yes' }, null);
const finish = `${frame({}, 'stop')}data: [DONE]\n\n`;

/** Bytes that are there at once, and then an end or a cut. */
class ScriptedBody implements UpstreamBody {
  taken = 0;
  readonly #text: string;
  readonly #cut: ErrorReport | undefined;

  constructor(text: string, cut?: ErrorReport) {
    this.#text = text;
    this.#cut = cut;
  }

  async collect(): Promise<Buffer | UpstreamFailure> {
    this.taken += 1;
    return this.#cut === undefined ? Buffer.from(this.#text) : { kind: 'failure', error: this.#cut };
  }

  start(sink: Sink): void {
    this.taken += 1;
    sink.write(Buffer.from(this.#text));
    if (this.#cut === undefined) sink.end();
    else sink.fail(this.#cut);
  }

  discard(): void {
    // A gate that has started a body may discard it after that.
    if (this.taken === 0) this.taken = 1;
  }
}

const lost = errorReport('connection-lost', { host: 'scripted', reason: 'it was reset' });
const failures = {
  'connection-failed': errorReport('connection-failed', { host: 'scripted', reason: 'it was refused' }),
  'connection-lost': lost,
  'pool-full': errorReport('pool-full', { host: 'scripted' }),
};

const toLines = (headers: Readonly<Record<string, string>>, type: string): RawHeaders => [
  'content-type',
  type,
  ...Object.entries(headers).flat(),
];

const asksForStream = ({ body }: UpstreamRequest): boolean =>
  body.kind === 'bytes' && /"stream":true/.test(body.bytes.toString());

const never = ({ cancellation }: Scope): Promise<UpstreamAnswer> =>
  new Promise((settle) => {
    cancellation.onCancel(() => settle({ kind: 'failure', error: lost }));
  });

/** Upstreams that do what a scenario says; the host's first label is the target. */
export const createScriptedUpstreams = (upstream: ScenarioUpstream): ScriptedUpstreams => {
  const sent: SentCall[] = [];
  const bodies: ScriptedBody[] = [];
  const counts = new Map<string, number>();

  const answer = (status: number, headers: RawHeaders, body: ScriptedBody): UpstreamAnswer => {
    bodies.push(body);
    return { kind: 'answer', status, headers, body };
  };

  const give = (reply: Reply, streams: boolean): UpstreamAnswer | undefined => {
    switch (reply.kind) {
      case 'answer':
        return streams && reply.status === 200
          ? answer(200, toLines(reply.headers, 'text/event-stream'), new ScriptedBody(begin + content + finish))
          : answer(reply.status, toLines(reply.headers, 'application/json'), new ScriptedBody(answerText));
      case 'network':
        return { kind: 'failure', error: failures[reply.cause] };
      case 'cut':
        return streams
          ? answer(
              200,
              toLines({}, 'text/event-stream'),
              new ScriptedBody(begin + (reply.content ? content : ''), lost),
            )
          : answer(200, toLines({}, 'application/json'), new ScriptedBody('{"id":', lost));
      case 'hang':
        return undefined;
    }
  };

  const send = async (target: string, request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer> => {
    sent.push({ target, attempt: scope.attempt });
    const nth = (counts.get(target) ?? 0) + 1;
    counts.set(target, nth);
    return give(upstream(target, nth), asksForStream(request)) ?? never(scope);
  };

  return {
    sent,
    get strayBodies() {
      return bodies.filter(({ taken }) => taken !== 1).length;
    },
    open: (origin): Upstream => {
      const [target = ''] = new URL(origin).hostname.split('.');
      return { send: (request, scope) => send(target, request, scope) };
    },
    close: async () => {},
  };
};
