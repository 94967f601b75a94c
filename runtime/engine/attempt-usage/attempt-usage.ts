import type { Reservation } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { ClientRequest } from '../../../plugins/sdk/exchange/exchange.ts';
import { headerValue, type RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { passedSegments } from '../../../plugins/sdk/http/passed-segments.ts';
import { generates } from '../../../plugins/sdk/models/generates.ts';
import { readMethods } from '../../../plugins/sdk/provider/account-changes/passed-request.ts';
import type { Usage } from '../../../schema/conversation/conversation.ts';
import { isSuccess } from '../../../schema/http/status.ts';
import { type UsageRecord, unusedRecord } from '../../../schema/usage/usage-record.ts';
import { findEncoding } from '../../json-bodies/read/decoder-for.ts';
import type { PricedCall } from '../../ports/prices.ts';
import { figuresInHeaders } from '../../usage/passed-figures.ts';
import { PassedUsage } from '../../usage/passed-usage.ts';
import { pricedRecord } from '../../usage/priced-record.ts';
import { type MeteredPart, UsageMeter } from '../../usage/usage-meter.ts';
import type { LinkPorts } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { calledModel } from '../call/requested-model-and-stream.ts';
import type { HeldCost } from '../call/run.ts';
import { upstreamDialect } from '../target/upstream-dialect.ts';
import { askedBytes } from './asked-bytes.ts';

/** A lost request may have had any answer, so it counts as one that was being answered. */
const lostStatus = 200;

/**
 * Whether an attempt is charged. A request that reads, changes or cancels an earlier call reports what that call used, which was
 * charged then. The query has no influence, because a caller may write anything there.
 */
const isCharged = (request: ClientRequest): boolean =>
  passedSegments(request.path).at(-1) !== 'cancel' &&
  readMethods(request, request.headers).some(({ method }) => method === 'POST');

/** The path segments of requests that start work which a model does later. The usage of that work is reported elsewhere. */
const beginnings: ReadonlySet<string> = new Set([
  ...['batches', 'fine_tuning', 'model-invocation-job', 'model-customization-jobs'],
]);

/** Verbs that start later work, too. The verb for several vectors does not: it answers with them. */
const beginningVerb = /:(?:async)?batch(?!embed(?:contents|text)$)[a-z]*$/;

const isBeginning = ({ path }: ClientRequest): boolean =>
  passedSegments(path).some((segment) => beginnings.has(segment.split(':', 1)[0] ?? '') || beginningVerb.test(segment));

const toMeter = ({ outgoing }: LeafCall): UsageMeter => {
  const translation = outgoing?.translation;
  return new UsageMeter(translation && upstreamDialect(translation));
};

/** An attempt as it is priced. Its model is read if the answer has none, or none that has a price. */
class PricedAttempt implements PricedCall {
  readonly provider: string;
  readonly listedAs: string;
  readonly saved: PricedCall['saved'];
  readonly at: number;
  readonly #call: LeafCall;

  constructor(call: LeafCall, { provider, listedAs, at }: Pick<PricedCall, 'provider' | 'listedAs' | 'at'>) {
    this.provider = provider;
    this.listedAs = listedAs;
    this.saved = call.target.prices;
    this.at = at;
    this.#call = call;
  }

  get model(): string {
    return calledModel(this.#call) ?? '';
  }
}

export interface AttemptUsageOptions {
  readonly ports: Pick<LinkPorts, 'clock' | 'prices'>;
  /** Absent if nothing is limited or counted. */
  readonly reservation: Reservation | HeldCost | undefined;
}

/** Measures the usage and the cost of one attempt. Exists only if something consumes them. */
export class AttemptUsage {
  readonly meter: UsageMeter;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly #call: LeafCall;
  readonly #reservation: Reservation | HeldCost | undefined;
  #isSent = false;
  #isAnswered = false;
  #isRelayed = false;
  #passed: PassedUsage | undefined;
  readonly #ports: Pick<LinkPorts, 'clock' | 'prices'>;
  readonly #ready: Promise<void> | undefined;
  #record: UsageRecord | undefined;

  constructor(call: LeafCall, { ports, reservation }: AttemptUsageOptions) {
    this.#call = call;
    this.#ports = ports;
    this.#reservation = reservation;
    this.meter = toMeter(call);
    this.attempt = call.attempts;
    // Loaded while the provider answers. Without prices, only the usage is reported.
    this.#ready = ports.prices?.ready()?.catch(() => {});
  }

  /** Whether the answer reports the usage to the caller. */
  get isAsked(): boolean {
    return this.#call.exchange.overrides.usage === true;
  }

  /**
   * Called when the provider answers with this status. Returns a promise that settles once the answer can be priced, if that
   * takes time.
   */
  begin(status: number): Promise<void> | undefined {
    this.#isSent = true;
    this.#isAnswered = isSuccess(status);
    if (isSuccess(status) && this.#call.outgoing?.translation !== undefined) this.meter.begin();
    return this.#ready;
  }

  /** Reads an answer that is passed through. Undefined if it has no figures that could be read. */
  pass(status: number, headers: RawHeaders): PassedUsage | undefined {
    const answer = {
      contentType: headerValue(headers, 'content-type')?.toLowerCase() ?? '',
      contentEncoding: findEncoding(headers),
    };
    if (!isSuccess(status) || !isCharged(this.#call.exchange.request) || !PassedUsage.reads(answer)) return undefined;
    this.#passed = new PassedUsage({ ...answer, stated: figuresInHeaders(headers) });
    return this.#passed;
  }

  /** Called if the answer is passed on unread, so that its usage is unknown. */
  relay(): void {
    this.#isRelayed = true;
    this.meter.refuse();
  }

  /** Called if the request was sent and there is no answer: the provider may have read all of it. Settles like `begin`. */
  lose(): Promise<void> | undefined {
    return this.begin(lostStatus);
  }

  /** Called when the requests of a split attempt have ended, some of which were sent. Settles like `begin`. */
  beginParts(parts: readonly MeteredPart[]): Promise<void> | undefined {
    this.#isSent = true;
    this.meter.sum(parts);
    return this.#ready;
  }

  /** Called if something threw before there was a response. */
  async abandon(isWritten: boolean): Promise<void> {
    if (isWritten && !this.#isSent) await this.lose();
    this.end();
  }

  /** Ends the attempt and its reservation. Only the first call counts. */
  end(): UsageRecord {
    const record = this.record();
    if (this.#isSent) this.#reservation?.settle(record);
    else this.#reservation?.release();
    return record;
  }

  /** Ends the attempt without reading its usage, if only its cost limit consumes it. Otherwise returns false. */
  endUnread(): boolean {
    const reservation = this.#reservation;
    if (this.#call.isUsageRead || reservation === undefined || !('settleLater' in reservation)) return false;
    if (this.#isSent) reservation.settleLater(() => this.record());
    else reservation.release();
    return true;
  }

  /** Returns the usage record. The first call decides, so the answer and all consumers receive the same record. */
  record(): UsageRecord {
    this.#record ??= this.#priced();
    return this.#record;
  }

  #priced(): UsageRecord {
    const passed = this.#passed?.read();
    if (passed !== undefined) this.meter.pass(passed, this.#passed?.isWhole === true);
    const call = this.#call;
    const { clock, prices } = this.#ports;
    const { id: provider, listedAs = provider } = call.target.provider;
    if (call.exchange.route.operation === 'count') return unusedRecord(calledModel(call));
    return pricedRecord(this.meter, {
      call: new PricedAttempt(call, { provider, listedAs, at: clock.wall() }),
      prices,
      requestBytes: () => askedBytes(call),
      isUnmeasured: passed === undefined && this.#isAnswered && this.#isUnread,
    });
  }

  /** Whether a model has answered whose usage no dialect reads. */
  get #isUnread(): boolean {
    if (this.#isRelayed) return true;
    const { exchange, outgoing } = this.#call;
    if (outgoing?.translation !== undefined) return false;
    return isCharged(exchange.request) && generates(exchange) && !isBeginning(exchange.request);
  }
}

/** One turn of a session, in which a model has answered or transcribed. */
export interface Turn {
  readonly usage: Usage;
  /** Whether it was complete. */
  readonly isWhole: boolean;
  /** The model. Undefined if the provider does not name it. */
  readonly model: string | undefined;
}

/** Returns the record of a turn, with its cost if that is known. */
export const turnRecord = (
  call: LeafCall,
  ports: AttemptUsageOptions['ports'],
  { usage, isWhole, model }: Turn,
): UsageRecord => {
  const attempt = new AttemptUsage(call, { ports, reservation: undefined });
  attempt.meter.pass(usage, isWhole, model);
  return attempt.record();
};
