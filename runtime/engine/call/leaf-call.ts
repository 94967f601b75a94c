import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type {
  AnswerMaker,
  CacheStatus,
  Cancellation,
  GatewayResponse,
  LeafReport,
  RequestBody,
} from '../../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { Origin } from '../../../schema/http/status.ts';
import { exactText } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafNode } from '../../../schema/plan/plan.ts';
import type { AttemptMs } from '../../../schema/trail/trail.ts';
import { withMembers } from '../../json-bodies/edit/with-members.ts';
import type { ParsedAnswer } from '../../json-bodies/read/answer-object.ts';
import { clientClosedResponse } from '../error-responses/client-closed-response.ts';
import { errorResponse } from '../error-responses/error-response.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { RetryTurns } from '../verdicts/asked-retry.ts';
import type { ReadAnswer } from '../verdicts/check-text.ts';
import type { Restorer } from '../verdicts/restorer.ts';
import { outgoingModel } from './asked-for.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import type { Run } from './run.ts';

/** A function, since a detached call has the call as its prototype, and so none of its private members. */
const toMaker = (call: LeafCall): AnswerMaker => {
  const { slug, target, exchange } = call;
  const scope = target.stateScope(outgoingModel(call) ?? exchange.route.model);
  const { accountScope: account } = target;
  return { ...(slug === undefined ? {} : { slug }), scope, ...(account === undefined ? {} : { account }) };
};

/** One call of a leaf by one run: what its stages and attempts share. */
export class LeafCall {
  readonly run: Run;
  /** The client's, or with the body that a prompt or a check put in the place of the client's. */
  exchange: Exchange;
  /** Whether a check changed the request: its body then has the target's overrides, and they are not applied again. */
  isChanged = false;
  readonly leaf: LeafNode;
  /** Where it has several keys, as it is called with the one of the attempt. */
  target: PreparedTarget;
  /** The saved provider that it calls; absent if that is none. */
  readonly slug: string | undefined;
  /** The slug of the stored prompt that it sends: the label of its request is that of the leaf that was entered last. */
  prompt: string | undefined;
  /** The client's; absent on a path that belongs to no dialect. */
  readonly dialect: Dialect | undefined;
  /** Whether something consumes the usage of its attempts. */
  readonly isMetered: boolean;
  /** Whether plugins consume the usage of its attempts: they may also want to know what the request says. */
  readonly isUsageTapped: boolean;
  /** Whether that is more than the bound of its cost. */
  readonly isUsageRead: boolean;
  /** The number of attempts sent so far. */
  attempts = 0;
  /** The index of the key that the last was sent with, where its target has several; absent also where the client's is in place of them. */
  key: number | undefined;
  /** The token that the last was signed with, where its provider gets one for the credential. */
  token: string | undefined;
  /** Those of them that followed others at once with another key of the target, and are no retries. */
  otherKeys = 0;
  /** When the last attempt was sent and answered, where something consumes that. */
  attemptMs: AttemptMs | undefined;
  /** Milliseconds that the last attempt waited for a place at its target; undefined where it did not. */
  queuedMs: number | undefined;
  /** The outgoing request, built for the first attempt and sent again by the others. */
  outgoing: OutgoingCall | undefined;
  /** The last answer, if it is left to plugins to read what it used. */
  unreadBytes: Uint8Array | undefined;
  /** The last answer that was parsed whole, for all who read it. */
  parsedAnswer: ParsedAnswer | undefined;
  /** The last answer as its provider gave it, if it was translated. */
  original: ReadAnswer | undefined;
  /** Restores what placeholders in this request stand for; absent if there are none. */
  restorer: Restorer | undefined;
  /** The outcome of the cache, if there is one. */
  cache: CacheStatus = 'DISABLED';
  /** The results of the input checks, as a JSON text, if any ran: with the answer, they would be read from cold memory. */
  inputResults: string | undefined;
  /** The results of the output checks on the last answer. */
  outputResults: readonly HookResult[] | undefined;
  /** Whether an output check erred at a part of the last answer's stream, which then went on unjudged. */
  hasUnjudgedPart = false;
  /** Whether the last answer's stream was whole, and torn after its end: it is not kept for others. */
  hasTornEnd = false;
  /** Whether the attempt's answer was reported: that comes before what is reported of its checks. */
  isAttemptReported = false;
  /** The state of the last answer if it is a stream that its output checks judge; absent if it is not. */
  judgedStream: 'open' | 'denied' | undefined;

  /** The turns that the output checks of the last answer ask for; absent if they ask for nothing. */
  askedRetry: RetryTurns | undefined;
  /** Whether the one attempt that output checks may ask for was made. */
  isRetriedForChecks = false;
  /** Further turns of the request that is sent, while that attempt is made. */
  retryTurns: RetryTurns | undefined;

  constructor(
    run: Run,
    leaf: LeafNode,
    parts: {
      readonly target: PreparedTarget;
      readonly slug?: string | undefined;
      /** Whether something beside its caller consumes the usage of its attempts. */
      readonly isMetered?: boolean;
    },
  ) {
    this.run = run;
    this.exchange = run.exchange;
    this.leaf = leaf;
    this.target = parts.target;
    this.slug = parts.slug;
    this.prompt = run.exchange.labels?.prompt;
    this.dialect = run.dialect;
    this.isUsageTapped = parts.isMetered === true;
    this.isUsageRead = this.isUsageTapped || run.limited !== undefined || run.exchange.overrides.usage === true;
    this.isMetered = this.isUsageRead || run.costs !== undefined;
  }

  /** Ends what is done for it: its client left, or its deadline passed. */
  get cancellation(): Cancellation {
    return this.run.cancellation;
  }

  /** The exchange that plugins see: one object for a request, whatever its checks changed at this leaf. */
  get originalExchange(): Exchange {
    return this.run.exchange;
  }

  /** The dialect in which bodies are read; undefined if they are passed through. */
  get readDialect(): Dialect | undefined {
    return this.exchange.route.operation === 'opaque' ? undefined : this.dialect;
  }

  /** The data for the answer headers; `retries` counts those that were sent. */
  get report(): LeafReport {
    const { leaf, target, attempts, otherKeys, cache } = this;
    const retries = Math.max(0, attempts - otherKeys - 1);
    const report = { path: leaf.path, provider: target.provider.id, retries, cache };
    return this.originalExchange.kept === undefined ? report : { ...report, maker: toMaker(this) };
  }

  /** Sends a body that a check changed from now on; at other leaves it is still the client's. */
  change(body: JsonObject): void {
    const { exchange } = this;
    const { request } = exchange;
    if (request.body.kind === 'form') this.#send(body, { kind: 'form', form: request.body.form.withFields(body) });
    else if (request.body.kind === 'bytes') this.#send(body, withMembers(request.body.bytes, exchange.json(), body));
    else return;
    this.isChanged = true;
  }

  /** As if the client had sent this body here: the target's overrides are still to be made. */
  replace(body: JsonObject, bytes: Uint8Array = Buffer.from(exactText(body))): void {
    this.#send(body, { kind: 'bytes', bytes });
  }

  #send(json: JsonObject, body: RequestBody): void {
    const { exchange } = this;
    this.exchange = Object.create(exchange, {
      request: { value: { ...exchange.request, body }, enumerable: true },
      json: { value: () => json, enumerable: true },
    });
  }

  /** The answer of a call that was ended before it had one: its deadline passed, or its client left. */
  ended(): GatewayResponse {
    const { cause } = this.cancellation;
    return cause !== undefined && this.run.isPastDeadline
      ? this.refuse(cause, { origin: 'timeout' })
      : { ...clientClosedResponse, leaf: this.report };
  }

  /** An error of the gateway's own, as this leaf's answer. */
  refuse(report: ErrorReport, options: { readonly origin?: Origin } = {}): GatewayResponse {
    return errorResponse(report, { ...options, dialect: this.dialect, leaf: this.report });
  }
}

/** A part of a leaf's work: a stage around an inner step, or the attempt itself. */
export type LeafStep = (call: LeafCall) => Promise<GatewayResponse>;
