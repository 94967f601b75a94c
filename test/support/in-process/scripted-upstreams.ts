import type { Reply, ScenarioProbes, ScenarioUpstream } from '../../../compiler/semantics/scenario.ts';
import {
  headerValue,
  type RawHeaders,
  type Scope,
  type Sink,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamBody,
  type UpstreamFailure,
  type UpstreamRequest,
} from '../../../plugins/sdk/http/http.ts';
import type { Timers } from '../../../plugins/sdk/http/in-process.ts';
import { wait } from '../../../plugins/sdk/time/wait.ts';
import type { Upstreams } from '../../../runtime/ports/upstreams.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';

/** A call in the order in which it was sent. */
export interface SentCall {
  readonly target: string;
  readonly attempt: number;
}

export interface ScriptedUpstreams extends Upstreams {
  readonly sent: readonly SentCall[];
  /** The number of bodies that nobody has consumed, or that were consumed twice. */
  readonly strayBodies: number;
}

const answerText =
  '{"id":"a","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"yes"},"finish_reason":"stop"}]}';
const frame = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const begin = frame({ role: 'assistant', content: '' }, null);
const content = frame({ content: 'yes' }, null);
const finish = `${frame({}, 'stop')}data: [DONE]\n\n`;

/** What follows the first bytes of a body. */
interface Rest {
  readonly text?: string;
  /** How it breaks. Absent if it ends normally. */
  readonly cut?: ErrorReport;
  /** Calls `run` when the rest arrives. Absent if it arrives immediately. */
  readonly after?: ((run: () => void) => () => void) | undefined;
}

/** A body with some bytes available immediately, and perhaps an end or a cut later. */
class ScriptedBody implements UpstreamBody {
  taken = 0;
  readonly #text: string;
  readonly #more: Rest;
  #stopTimer: (() => void) | undefined;

  constructor(text: string, more: Rest = {}) {
    this.#text = text;
    this.#more = more;
  }

  async collect(): Promise<Buffer | UpstreamFailure> {
    this.taken += 1;
    const { cut, text = '' } = this.#more;
    return cut === undefined ? Buffer.from(this.#text + text) : { kind: 'failure', error: cut };
  }

  start(sink: Sink): void {
    this.taken += 1;
    sink.write(Buffer.from(this.#text));
    const { text = '', cut, after } = this.#more;
    const end = (): void => {
      if (text !== '') sink.write(Buffer.from(text));
      if (cut === undefined) sink.end();
      else sink.fail(cut);
    };
    if (after === undefined) end();
    else this.#stopTimer = after(end);
  }

  discard(): void {
    this.#stopTimer?.();
    // A gate may still discard a body that it has started.
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

/** Finds the index of a key among a target's keys, by the request header that contains it. */
export type FindKey = (target: string, authorization: string | undefined) => number | undefined;

/** Creates upstreams that follow a scenario. The first label of the host is the target. */
export const createScriptedUpstreams = (
  upstream: ScenarioUpstream,
  clock: Timers,
  {
    findKey = () => undefined,
    probes = () => false,
  }: { readonly findKey?: FindKey; readonly probes?: ScenarioProbes } = {},
): ScriptedUpstreams => {
  const sent: SentCall[] = [];
  const bodies: ScriptedBody[] = [];
  const counts = new Map<string, number>();

  const answer = (status: number, headers: RawHeaders, body: ScriptedBody): UpstreamAnswer => {
    bodies.push(body);
    return { kind: 'answer', status, headers, body };
  };

  const resting = ({ restMs }: { readonly restMs?: number }): Rest['after'] =>
    restMs === undefined || restMs === 0 ? undefined : (run) => clock.after(restMs, run);

  const give = (reply: Reply, streams: boolean): UpstreamAnswer | undefined => {
    switch (reply.kind) {
      case 'answer':
        return streams && reply.status === 200
          ? answer(
              200,
              toLines(reply.headers, 'text/event-stream'),
              new ScriptedBody(begin + content, { text: finish, after: resting(reply) }),
            )
          : answer(reply.status, toLines(reply.headers, 'application/json'), new ScriptedBody(answerText));
      case 'network':
        return { kind: 'failure', error: failures[reply.cause] };
      case 'cut':
        return streams
          ? answer(
              200,
              toLines({}, 'text/event-stream'),
              new ScriptedBody(begin + (reply.content ? content : ''), {
                cut: lost,
                after: reply.content ? resting(reply) : undefined,
              }),
            )
          : answer(200, toLines({}, 'application/json'), new ScriptedBody('{"id":', { cut: lost }));
      case 'hang':
        return undefined;
    }
  };

  const probe = (target: string): UpstreamAnswer => {
    const nth = (counts.get(`probe of ${target}`) ?? 0) + 1;
    counts.set(`probe of ${target}`, nth);
    return answer(probes(target, nth) ? 200 : 503, toLines({}, 'application/json'), new ScriptedBody('{}'));
  };

  const send = async (target: string, request: UpstreamRequest, scope: Scope): Promise<UpstreamAnswer> => {
    if (request.method === 'GET') return probe(target);
    sent.push({ target, attempt: scope.attempt });
    const nth = (counts.get(target) ?? 0) + 1;
    counts.set(target, nth);
    const reply = upstream(target, nth, findKey(target, headerValue(request.headers, 'authorization')));
    if (reply.kind === 'hang') return never(scope);
    if (reply.afterMs !== undefined && !(await wait(reply.afterMs, clock, scope.cancellation)))
      return { kind: 'failure', error: lost };
    return give(reply, asksForStream(request)) ?? never(scope);
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
