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
import type { RetryTurns } from '../guardrail-verdicts/asked-retry.ts';
import type { ReadAnswer } from '../guardrail-verdicts/check-text.ts';
import type { Restorer } from '../guardrail-verdicts/restorer.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { outgoingModel } from './requested-model-and-stream.ts';
import type { Run } from './run.ts';

/** A function, because a detached call has the call as its prototype, and so none of its private members. */
const toMaker = (call: LeafCall): AnswerMaker => {
  const { slug, target, exchange } = call;
  const scope = target.stateScope(outgoingModel(call) ?? exchange.route.model);
  const { accountScope: account } = target;
  return { ...(slug === undefined ? {} : { slug }), scope, ...(account === undefined ? {} : { account }) };
};

/** One call of a leaf by one run: what its stages and attempts share. */
export class LeafCall {
  readonly run: Run;
  /** The client's exchange, possibly with a body that a prompt or a check substituted. */
  exchange: Exchange;
  /** Whether a check changed the request. If so, its body contains the target's overrides, which are not applied again. */
  isChanged = false;
  readonly leaf: LeafNode;
  /** If it has several keys: the target with the key of the current attempt. */
  target: PreparedTarget;
  /** The saved provider that it calls. Absent if it calls none. */
  readonly slug: string | undefined;
  /** The slug of the stored prompt that it sends. The label of its request is that of the leaf that was entered last. */
  prompt: string | undefined;
  /** The client's dialect. Absent on a path that belongs to none. */
  readonly dialect: Dialect | undefined;
  /** Whether something consumes the usage of its attempts. */
  readonly isMetered: boolean;
  /** Whether plugins consume the usage of its attempts. If so, they may also want to know the contents of the request. */
  readonly isUsageTapped: boolean;
  /** Whether that is consumed by more than its cost limit. */
  readonly isUsageRead: boolean;
  /** The number of attempts sent so far. */
  attempts = 0;
  /** The index of the key of the last attempt, if its target has several. Absent if the client's credential replaced them. */
  key: number | undefined;
  /** The token that the last attempt was signed with, if its provider fetches one for the credential. */
  token: string | undefined;
  /** The number of attempts that followed others immediately with another key of the target. They are not retries. */
  otherKeys = 0;
  /** When the last attempt was sent and answered, if something consumes that. */
  attemptMs: AttemptMs | undefined;
  /** How many milliseconds the last attempt waited for a place at its target. Undefined if it did not wait. */
  queuedMs: number | undefined;
  /** The outgoing request, built for the first attempt and sent again by the others. */
  outgoing: OutgoingCall | undefined;
  /** The last answer, if reading its usage is left to plugins. */
  unreadBytes: Uint8Array | undefined;
  /** The last answer that was parsed whole, for all its readers. */
  parsedAnswer: ParsedAnswer | undefined;
  /** The last answer as its provider gave it, if it was translated. */
  original: ReadAnswer | undefined;
  /** Restores what placeholders in this request stand for. Absent if there are none. */
  restorer: Restorer | undefined;
  /** The outcome of the cache, if there is one. */
  cache: CacheStatus = 'DISABLED';
  /**
   * The results of the input checks as JSON text, if any ran. Written early, because with the answer they would be read from cold
   * memory.
   */
  inputResults: string | undefined;
  /** The results of the output checks on the last answer. */
  outputResults: readonly HookResult[] | undefined;
  /** Whether an output check erred on a part of the last answer's stream, which then continued unjudged. */
  hasUnjudgedPart = false;
  /** Whether the last answer's stream was complete, but broke after its end. It is not stored for others. */
  hasTornEnd = false;
  /** Whether the attempt's answer was reported. That comes before the results of its checks. */
  isAttemptReported = false;
  /** The state of the last answer if it is a stream that its output checks judge. Otherwise absent. */
  judgedStream: 'open' | 'denied' | undefined;

  /** The turns that the output checks of the last answer request. Absent if they request nothing. */
  askedRetry: RetryTurns | undefined;
  /** Whether the one attempt that output checks may request was made. */
  isRetriedForChecks = false;
  /** Additional turns of the request, while that attempt is made. */
  retryTurns: RetryTurns | undefined;

  constructor(
    run: Run,
    leaf: LeafNode,
    parts: {
      readonly target: PreparedTarget;
      readonly slug?: string | undefined;
      /** Whether something besides its caller consumes the usage of its attempts. */
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

  /** Ends everything that is done for the call: its client disconnected, or its deadline passed. */
  get cancellation(): Cancellation {
    return this.run.cancellation;
  }

  /** The exchange that plugins see. It is one object per request, whatever checks changed at this leaf. */
  get originalExchange(): Exchange {
    return this.run.exchange;
  }

  /** The dialect in which bodies are read. Undefined if they are passed through. */
  get readDialect(): Dialect | undefined {
    return this.exchange.route.operation === 'opaque' ? undefined : this.dialect;
  }

  /** The data for the answer headers. `retries` counts the attempts that were sent. */
  get report(): LeafReport {
    const { leaf, target, attempts, otherKeys, cache } = this;
    const retries = Math.max(0, attempts - otherKeys - 1);
    const report = { path: leaf.path, provider: target.provider.id, retries, cache };
    return this.originalExchange.kept === undefined ? report : { ...report, maker: toMaker(this) };
  }

  /** From now on sends a body that a check changed. At other leaves the body is still the client's. */
  change(body: JsonObject): void {
    const { exchange } = this;
    const { request } = exchange;
    if (request.body.kind === 'form') this.#send(body, { kind: 'form', form: request.body.form.withFields(body) });
    else if (request.body.kind === 'bytes') this.#send(body, withMembers(request.body.bytes, exchange.json(), body));
    else return;
    this.isChanged = true;
  }

  /** Treats a body as if the client had sent it here. The target's overrides are still to be applied. */
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

  /** Returns the answer of a call that ended before it had one: its deadline passed, or its client disconnected. */
  ended(): GatewayResponse {
    const { cause } = this.cancellation;
    return cause !== undefined && this.run.isPastDeadline
      ? this.refuse(cause, { origin: 'timeout' })
      : { ...clientClosedResponse, leaf: this.report };
  }

  /** Returns an error of the gateway itself as this leaf's answer. */
  refuse(report: ErrorReport, options: { readonly origin?: Origin } = {}): GatewayResponse {
    return errorResponse(report, { ...options, dialect: this.dialect, leaf: this.report });
  }
}

/** A part of a leaf's work: a stage around an inner step, or the attempt itself. */
export type LeafStep = (call: LeafCall) => Promise<GatewayResponse>;
