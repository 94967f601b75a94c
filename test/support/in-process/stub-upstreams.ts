import type {
  RawHeaders,
  Scope,
  Sink,
  UpstreamAnswer,
  UpstreamBody,
  UpstreamFailure,
  UpstreamRequest,
} from '../../../plugins/sdk/http/http.ts';
import type { UpstreamOptions, Upstreams } from '../../../runtime/ports/upstreams.ts';
import { type ErrorReport, errorReport } from '../../../schema/errors/errors.ts';

/** What an upstream does with a request. */
export type StubHandler = (request: UpstreamRequest, scope: Scope) => UpstreamAnswer | Promise<UpstreamAnswer>;

export interface StubUpstreams extends Upstreams {
  /** All requests, in order. */
  readonly requests: readonly UpstreamRequest[];
  /** All requests to the metadata service of the machine's identity. */
  readonly identityRequests: readonly UpstreamRequest[];
  /** All upstreams that were opened, in order. */
  readonly opened: readonly (UpstreamOptions & { readonly origin: string })[];
}

/** A body in one piece, complete or cut. `discarded` states whether it was discarded. */
export class StubBody implements UpstreamBody {
  discarded = false;
  readonly #bytes: Buffer;
  readonly #cut: ErrorReport | undefined;

  constructor(bytes: Buffer | string, cut?: ErrorReport) {
    this.#bytes = Buffer.from(bytes);
    this.#cut = cut;
  }

  async collect(limit: number): Promise<Buffer | UpstreamFailure> {
    if (this.#cut !== undefined) return { kind: 'failure', error: this.#cut };
    if (this.#bytes.length > limit) return { kind: 'failure', error: errorReport('answer-too-large', { limit }) };
    return this.#bytes;
  }

  start(sink: Sink): void {
    sink.write(this.#bytes);
    if (this.#cut === undefined) sink.end();
    else sink.fail(this.#cut);
  }

  discard(): void {
    this.discarded = true;
  }
}

const jsonType: RawHeaders = ['content-type', 'application/json'];

/** Creates an answer. An object is serialised as JSON. */
export const stubAnswer = (
  body: object | string | Buffer,
  { status = 200, headers = jsonType }: { readonly status?: number; readonly headers?: RawHeaders } = {},
): UpstreamAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: new StubBody(Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Never answers, and ends when it is cancelled. */
export const hanging: StubHandler = (_request, { cancellation }) =>
  new Promise((settle) => {
    cancellation.onCancel(() =>
      settle({ kind: 'failure', error: errorReport('connection-lost', { host: 'stub', reason: 'cancelled' }) }),
    );
  });

/** Creates upstreams that all do the same, and records their requests. */
export const createStubUpstreams = (handler: StubHandler): StubUpstreams => {
  const requests: UpstreamRequest[] = [];
  const opened: (UpstreamOptions & { readonly origin: string })[] = [];
  const identityRequests: UpstreamRequest[] = [];
  return {
    requests,
    identityRequests,
    opened,
    open: (origin, options) => {
      opened.push({ origin, ...options });
      return {
        send: async (request, scope) => {
          requests.push(request);
          scope.written?.();
          return handler(request, scope);
        },
      };
    },
    identityService: () => ({
      send: async (request, scope) => {
        identityRequests.push(request);
        return handler(request, scope);
      },
    }),
    close: async () => {},
  };
};
