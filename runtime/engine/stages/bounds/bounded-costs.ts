import type { LimitedAttempt, Reservation } from '../../../../plugins/sdk/control-plane/limiter.ts';
import { generates } from '../../../../plugins/sdk/models/generates.ts';
import { estimateUse, LearnedUse } from '../../../../plugins/sdk/models/learned-use.ts';
import { shownModel } from '../../../../plugins/sdk/models/named-models.ts';
import { isPricedUnread, isUnread } from '../../../../plugins/sdk/models/unread-use.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { formatUsd } from '../../../../schema/text/format-usd.ts';
import { type Cost, type UsageRecord, unusedRecord } from '../../../../schema/usage/usage-record.ts';
import type { Soon } from '../../../async/soon.ts';
import type { LinkPorts } from '../../call/context.ts';
import type { CostedCall, RunCosts } from '../../call/run.ts';

type CostPorts = Pick<LinkPorts, 'clock' | 'prices'>;

const nanoPerUsd = 1e9;
const uncounted: Reservation = { settle: () => {}, release: () => {} };

/** The name by which errors say which limit it is. */
const policy = 'max_cost_usd';

/** An attempt whose estimated cost is held until it is known what it cost. */
interface HeldCost {
  readonly attempt: LimitedAttempt;
  /** By which it is learned what such attempts use. */
  readonly name: string;
  readonly nanoUsd: number;
}

/** The cost of an attempt that has ended: as estimated, where its provider does not say what it used. */
const settledCost = ({ kind, cost, unmeasured }: UsageRecord, { nanoUsd }: HeldCost): number =>
  cost?.nanoUsd ?? (kind === 'none' && unmeasured !== true ? 0 : nanoUsd);

/** Judges each attempt of a request by what it may cost, and what those before it have cost. */
class BoundedCosts implements RunCosts {
  readonly #ports: CostPorts;
  readonly #learned: LearnedUse;
  readonly #maxNanoUsd: number;
  /** Settled, or held for attempts that have not ended. */
  #spent = 0;

  constructor(ports: CostPorts, learned: LearnedUse, maxUsd: number) {
    this.#ports = ports;
    this.#learned = learned;
    this.#maxNanoUsd = Math.round(maxUsd * nanoPerUsd);
  }

  reserve(attempt: LimitedAttempt, call: CostedCall): Soon<Reservation> {
    if (!generates(call.exchange)) return uncounted;
    // What has no price because none could be loaded is refused like what has none.
    const waits = this.#ports.prices?.ready()?.catch(() => {});
    return waits === undefined ? this.#reserved(attempt, call) : waits.then(() => this.#reserved(attempt, call));
  }

  #reserved(attempt: LimitedAttempt, call: CostedCall): Reservation {
    const { exchange } = call;
    const name = this.#learned.name(exchange.principal.tenant, attempt.provider, attempt.model);
    const unused = (): Cost | undefined => this.#cost(call, attempt, unusedRecord(attempt.model));
    if (isUnread(exchange, attempt) && !isPricedUnread(exchange, unused()))
      throw gatewayError('unmeasured-request', { policy });
    const cost = this.#cost(call, attempt, estimateUse(attempt, { learned: this.#learned, name }));
    const model = JSON.stringify(shownModel(attempt.model));
    // A body that cannot be read names no model: that is what is wrong with it.
    if (cost === undefined && attempt.model === '' && exchange.request.body.kind === 'bytes') exchange.json();
    if (cost === undefined) throw gatewayError('unpriced-model', { model, provider: attempt.provider, policy });
    const { nanoUsd } = cost;
    if (this.#spent + nanoUsd > this.#maxNanoUsd)
      throw gatewayError('cost-exceeded', {
        model,
        provider: attempt.provider,
        cost: `$${formatUsd(nanoUsd)}`,
        limit: `$${formatUsd(this.#maxNanoUsd)}`,
        spent: `$${formatUsd(this.#spent)}`,
      });
    return this.#hold({ attempt, name, nanoUsd });
  }

  #hold(held: HeldCost): Reservation {
    this.#spent += held.nanoUsd;
    return {
      settle: (usage) => {
        this.#learned.learn(held.name, held.attempt, usage);
        this.#spent += settledCost(usage, held) - held.nanoUsd;
      },
      release: () => {
        this.#spent -= held.nanoUsd;
      },
    };
  }

  #cost(
    { listedAs }: CostedCall,
    { provider, model, prices: saved }: LimitedAttempt,
    use: UsageRecord,
  ): Cost | undefined {
    const { clock, prices } = this.#ports;
    return prices?.cost(use, { provider, listedAs, model, saved, at: clock.wall() });
  }
}

/** Makes the costs of a run with a bound, in US dollars. */
export type BoundCosts = (maxUsd: number) => RunCosts;

/** Bounds the costs of the requests of a gateway, whose attempts are estimated by what earlier ones used. */
export const linkCosts = (ports: CostPorts): BoundCosts => {
  const learned = new LearnedUse();
  return (maxUsd) => new BoundedCosts(ports, learned, maxUsd);
};
