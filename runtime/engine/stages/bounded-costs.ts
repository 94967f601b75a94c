import type { LimitedAttempt } from '../../../plugins/sdk/control-plane/limiter.ts';
import { generates } from '../../../plugins/sdk/models/generates.ts';
import { estimateUse, LearnedUse } from '../../../plugins/sdk/models/learned-use.ts';
import { shownModel } from '../../../plugins/sdk/models/named-models.ts';
import { hasUnknownUsage, isPricedUnread } from '../../../plugins/sdk/models/unread-use.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { formatUsd } from '../../../schema/text/format-usd.ts';
import { type Cost, nanoPerUsd, type UsageRecord, unusedRecord } from '../../../schema/usage/usage-record.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { LinkPorts } from '../call/context.ts';
import type { CostedCall, HeldCost, RunCosts } from '../call/run.ts';

type CostPorts = Pick<LinkPorts, 'clock' | 'prices'>;

const uncounted: HeldCost = { settle: () => {}, settleLater: () => {}, release: () => {} };

/** The name of the limit in errors. */
const policy = 'max_cost_usd';

/** How many answers to attempts of one name are read per second to learn from them. Further answers are not read for this. */
const maxLearned = 100;

/** Counts what is learned per second, by the name of attempts. */
class LearningRateLimit {
  readonly #counts = new Map<string, number>();
  #second = 0;

  /** Returns whether one more attempt may be learned from now. */
  take(name: string, now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const count = this.#counts.get(name) ?? 0;
    if (count >= maxLearned) return false;
    this.#counts.set(name, count + 1);
    return true;
  }
}

/** The state that all requests of a gateway with a cost limit share. */
interface CostContext {
  readonly ports: CostPorts;
  readonly learned: LearnedUse;
  readonly pace: LearningRateLimit;
}

/** An attempt whose estimated cost is held until its actual cost is known. */
class HeldAttempt implements HeldCost {
  readonly #costs: BoundedCosts;
  readonly #attempt: LimitedAttempt;
  /** The name under which the usage of such attempts is learned. */
  readonly #name: string;
  readonly #nanoUsd: number;
  #isHeld = true;

  constructor(
    costs: BoundedCosts,
    attempt: LimitedAttempt,
    estimate: { readonly name: string; readonly nanoUsd: number },
  ) {
    this.#costs = costs;
    this.#attempt = attempt;
    this.#name = estimate.name;
    this.#nanoUsd = estimate.nanoUsd;
  }

  settle(usage: UsageRecord): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    const { kind, cost, unmeasured } = usage;
    // If the provider does not report what it used, the estimate counts.
    const nanoUsd = cost?.nanoUsd ?? (kind === 'none' && unmeasured !== true ? 0 : this.#nanoUsd);
    this.#costs.context.learned.learn(this.#name, this.#attempt, usage);
    this.#costs.spend(nanoUsd - this.#nanoUsd);
  }

  settleLater(read: () => UsageRecord): void {
    const { pace, ports } = this.#costs.context;
    if (pace.take(this.#name, ports.clock.monotonic())) this.settle(read());
    else this.#costs.whenJudged(() => this.settle(read()));
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#costs.spend(-this.#nanoUsd);
  }
}

/** Checks each attempt of a request against what it may cost and what those before it have cost. */
class BoundedCosts implements RunCosts {
  readonly context: CostContext;
  readonly #maxNanoUsd: number;
  /** The cost that is settled, or held for attempts that have not ended. */
  #spent = 0;
  /** Settles the attempts that have ended and whose answers were not read. */
  #unread: (() => void)[] | undefined;

  constructor(context: CostContext, maxUsd: number) {
    this.context = context;
    this.#maxNanoUsd = Math.round(maxUsd * nanoPerUsd);
  }

  reserve(attempt: LimitedAttempt, call: CostedCall): MaybePromise<HeldCost> {
    if (!generates(call.exchange)) return uncounted;
    // A model without a price because the prices could not be loaded is refused like one without a price.
    const waits = this.context.ports.prices?.ready()?.catch(() => {});
    return waits === undefined ? this.#reserved(attempt, call) : waits.then(() => this.#reserved(attempt, call));
  }

  spend(nanoUsd: number): void {
    this.#spent += nanoUsd;
  }

  /** Settles an attempt before the next one is judged, if there is a next one. */
  whenJudged(settle: () => void): void {
    this.#unread ??= [];
    this.#unread.push(settle);
  }

  #settleAll(): void {
    const unread = this.#unread;
    if (unread === undefined) return;
    this.#unread = undefined;
    for (const settle of unread) settle();
  }

  #reserved(attempt: LimitedAttempt, call: CostedCall): HeldCost {
    this.#settleAll();
    const { exchange } = call;
    const { learned } = this.context;
    const { provider, model } = attempt;
    const name = learned.name(exchange.principal.tenant, provider, model);
    if (hasUnknownUsage(exchange, attempt) && !isPricedUnread(exchange, this.#cost(call, attempt, unusedRecord(model))))
      throw gatewayError('unmeasured-request', { policy });
    const cost = this.#cost(call, attempt, estimateUse(attempt, { learned, name }));
    const shown = JSON.stringify(shownModel(model));
    if (cost === undefined) {
      // If the body names no model because it cannot be read, that is the error to report.
      if (model === '' && exchange.request.body.kind === 'bytes') exchange.json();
      throw gatewayError('unpriced-model', { model: shown, provider, policy });
    }
    const { nanoUsd } = cost;
    if (this.#spent + nanoUsd > this.#maxNanoUsd)
      throw gatewayError('cost-exceeded', {
        ...{ model: shown, provider },
        cost: `$${formatUsd(nanoUsd)}`,
        limit: `$${formatUsd(this.#maxNanoUsd)}`,
        spent: `$${formatUsd(this.#spent)}`,
      });
    this.spend(nanoUsd);
    return new HeldAttempt(this, attempt, { name, nanoUsd });
  }

  #cost(
    { listedAs }: CostedCall,
    { provider, model, prices: saved }: LimitedAttempt,
    use: UsageRecord,
  ): Cost | undefined {
    const { clock, prices } = this.context.ports;
    return prices?.cost(use, { provider, listedAs, model, saved, at: clock.wall() });
  }
}

/** Creates the costs of a run with a limit in US dollars. */
export type BoundCosts = (maxUsd: number) => RunCosts;

/** Limits the costs of a gateway's requests. Attempts are estimated from the usage of earlier ones. */
export const linkCosts = (ports: CostPorts): BoundCosts => {
  const context: CostContext = { ports, learned: new LearnedUse(), pace: new LearningRateLimit() };
  return (maxUsd) => new BoundedCosts(context, maxUsd);
};
