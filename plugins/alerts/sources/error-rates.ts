import type { Origin } from '../../../schema/http/status.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import { FairShares } from '../../sdk/fairness/fair-shares.ts';
import type { GatewayResponse, StreamEnd } from '../../sdk/http/http.ts';
import type { Occurrence } from '../messages/alert.ts';
import { RateWindow, toPartMs } from './rate-window.ts';
import { plainName, shownName } from './shown-name.ts';
import { ofWorkspace, toOwner } from './subject.ts';

/** The maximum number of configs and targets that are counted. One tenant has at most a quarter of them. */
const maxWindows = 2000;

/** Provider statuses that mean that a credential is revoked, out of credit or limited, or that the provider took too long. */
const providerFailures: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

/** Whether an attempt, or a request with this answer, has failed. */
export const isFailure = (status: number, origin: Origin): boolean =>
  status >= 500 || (origin === 'timeout' && status === 408) || (origin === 'upstream' && providerFailures.has(status));

export interface ErrorRateSettings {
  readonly percent: number;
  readonly windowS: number;
  readonly atLeast: number;
}

export interface ErrorRateOptions extends ErrorRateSettings {
  readonly note: (occurrence: Occurrence) => void;
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly source: string;
}

type Whose = ReturnType<typeof toOwner>;

/** The parts of a request that are needed to count it for its config. */
interface CountedRequest extends Pick<Exchange, 'principal'> {
  readonly plan?: { readonly isCallers?: boolean | undefined; readonly routing: { readonly name: string } } | undefined;
}

/** Requests or attempts that a worker has counted. */
export interface RequestCounts {
  readonly principal: Pick<Exchange['principal'], 'tenant' | 'organisation' | 'workspace'>;
  readonly plan: string;
  /** Whether the config is a caller's. */
  readonly isCallers: boolean;
  /** The target whose attempts are counted. Absent for requests. */
  readonly target?: string | undefined;
  readonly failed: number;
  readonly all: number;
}

/** A config or a target whose requests are counted. */
interface Counted {
  readonly window: RateWindow;
  readonly whose: Whose;
  readonly plan: string;
  readonly target?: string;
  isOpen: boolean;
}

/** The window of a config of one tenant, and those of its targets. */
interface CountedPlan {
  readonly own: Counted;
  readonly targets: Map<string, Counted>;
}

const callersName = '(caller)';

const percentText = ({ failed, all }: { readonly failed: number; readonly all: number }): string =>
  `${failed} of ${all} (${Math.round((100 * failed) / Math.max(all, 1))} %)`;

/** Reports configs and targets with too many failed requests, and when that ends. */
export class ErrorRates {
  readonly #options: ErrorRateOptions;
  readonly #shares = new FairShares(maxWindows);
  readonly #byTenant = new Map<string, Map<string, CountedPlan>>();
  #nextPart: number;

  constructor(options: ErrorRateOptions) {
    this.#options = options;
    this.#nextPart = options.now() + toPartMs(options.windowS);
  }

  /** Called when a client's request has ended. */
  completed(
    { status, origin }: Pick<GatewayResponse, 'status' | 'origin'>,
    exchange: Pick<Exchange, 'plan' | 'principal' | 'mirrorOf'>,
    end: StreamEnd,
  ): void {
    if (exchange.plan === undefined || exchange.mirrorOf !== undefined) return;
    this.#plan(exchange)?.own.window.count(end === 'failed' || isFailure(status, origin));
  }

  /** Called when a target has answered or failed to. */
  attempted(
    { target, status, origin }: Pick<TrailEventOf<'attempted'>, 'target' | 'status' | 'origin'>,
    exchange: Pick<Exchange, 'plan' | 'principal' | 'mirrorOf'>,
  ): void {
    const { plan, mirrorOf } = exchange;
    if (plan === undefined || plan.isCallers === true || mirrorOf !== undefined) return;
    const counted = this.#plan(exchange);
    if (counted !== undefined) this.#target(counted, exchange, target)?.window.count(isFailure(status, origin));
  }

  /** Adds what a worker has counted. */
  add({ plan, isCallers, target, failed, all, principal }: RequestCounts): void {
    const request: CountedRequest = { plan: { isCallers, routing: { name: plan } }, principal };
    const counted = this.#plan(request);
    const found = target === undefined ? counted?.own : counted && this.#target(counted, request, target);
    found?.window.add({ failed, all });
  }

  /** Called every second. */
  look(): void {
    const { now, windowS } = this.#options;
    let advances = false;
    if (now() >= this.#nextPart) {
      advances = true;
      this.#nextPart = now() + toPartMs(windowS);
    }
    for (const [tenant, plans] of this.#byTenant) {
      for (const [name, { own, targets }] of plans) {
        for (const [target, counted] of targets)
          if (this.#isEmpty(counted, advances)) {
            targets.delete(target);
            this.#shares.give(counted.whose.tenant);
          }
        if (!this.#isEmpty(own, advances) || targets.size > 0) continue;
        plans.delete(name);
        this.#shares.give(own.whose.tenant);
      }
      if (plans.size === 0) this.#byTenant.delete(tenant);
    }
  }

  #target(counted: CountedPlan, request: CountedRequest, target: string): Counted | undefined {
    const found = counted.targets.get(target) ?? this.#added(request.plan?.routing.name ?? '', request, target);
    if (found !== undefined) counted.targets.set(target, found);
    return found;
  }

  #plan(exchange: CountedRequest): CountedPlan | undefined {
    const { tenant, workspace } = exchange.principal;
    const { plan } = exchange;
    if (plan === undefined) return undefined;
    const name = plan.isCallers === true ? callersName : plan.routing.name;
    let plans = this.#byTenant.get(workspace ?? tenant);
    const found = plans?.get(name);
    if (found !== undefined) return found;
    const own = this.#added(name, exchange);
    if (own === undefined) return undefined;
    const added = { own, targets: new Map<string, Counted>() };
    if (plans === undefined) {
      plans = new Map();
      this.#byTenant.set(workspace ?? tenant, plans);
    }
    plans.set(name, added);
    return added;
  }

  #added(plan: string, exchange: Pick<Exchange, 'principal'>, target?: string): Counted | undefined {
    const whose = toOwner(exchange);
    if (!this.#shares.take(whose.tenant)) return undefined;
    return {
      ...{ window: new RateWindow(), whose, plan, isOpen: false },
      ...(target === undefined ? {} : { target }),
    };
  }

  /** Judges the counts. Returns true if there are none, so that nothing is counted until the next request. */
  #isEmpty(counted: Counted, advances: boolean): boolean {
    const { percent, atLeast } = this.#options;
    const sums = counted.window.sums();
    const share = (100 * sums.failed) / Math.max(sums.all, 1);
    const isOpen = counted.isOpen ? share > percent / 2 : sums.all >= atLeast && share >= percent;
    if (isOpen !== counted.isOpen) {
      counted.isOpen = isOpen;
      this.#options.note(this.#toOccurrence(counted, sums));
    }
    if (advances) counted.window.advance();
    return sums.all === 0;
  }

  #toOccurrence(
    { whose, plan, target, isOpen }: Counted,
    sums: { readonly failed: number; readonly all: number },
  ): Occurrence {
    const { windowS, percent, source } = this.#options;
    const config = `config ${shownName(plan)}${ofWorkspace(whose)}`;
    const subject =
      target === undefined ? `requests to ${config}` : `attempts at target ${shownName(target)} of ${config}`;
    return {
      kind: 'errors.high',
      key: `errors.high ${source} ${whose.tenant} ${plan}${target === undefined ? '' : ` ${target}`}`,
      state: isOpen ? 'open' : 'resolved',
      severity: target === undefined ? 'error' : 'warning',
      title: isOpen
        ? `Of the ${subject}, ${percentText(sums)} failed in the last ${windowS} s.`
        : `Few of the ${subject} fail any more: ${percentText(sums)} in the last ${windowS} s.`,
      action: isOpen ? 'Look at the log of requests for what failed, and at the status page of the provider.' : '',
      ...whose,
      details: {
        config: plainName(plan),
        ...(target === undefined ? {} : { target: plainName(target) }),
        ...{ failed: sums.failed, requests: sums.all, window_s: windowS, percent },
      },
    };
  }
}
