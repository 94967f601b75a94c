import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { GatewayResponse, StreamEnd } from '../../sdk/http/http.ts';
import { isFailure, type RequestCounts } from './error-rates.ts';

/** The maximum number of configs and targets that are counted until the counts are taken. Requests of others are not counted. */
const maxCounted = 2000;

type Counted = Omit<RequestCounts, 'failed' | 'all'> & { failed: number; all: number };

/** Counts requests and attempts by config and target, until the counts are taken to where error rates are judged. */
export class RequestCounter {
  readonly #counts = new Map<string, Counted>();
  #dropped = 0;

  completed(
    { status, origin }: Pick<GatewayResponse, 'status' | 'origin'>,
    exchange: Pick<Exchange, 'plan' | 'principal' | 'mirrorOf'>,
    end: StreamEnd,
  ): void {
    this.#count(exchange, { isFailed: end === 'failed' || isFailure(status, origin) });
  }

  attempted(
    { target, status, origin }: Pick<TrailEventOf<'attempted'>, 'target' | 'status' | 'origin'>,
    exchange: Pick<Exchange, 'plan' | 'principal' | 'mirrorOf'>,
  ): void {
    if (exchange.plan?.isCallers !== true) this.#count(exchange, { target, isFailed: isFailure(status, origin) });
  }

  /** Takes what was counted since the last call, and how many were dropped because there was no room. */
  take(): { readonly counts: readonly RequestCounts[]; readonly dropped: number } {
    const taken = { counts: [...this.#counts.values()], dropped: this.#dropped };
    this.#counts.clear();
    this.#dropped = 0;
    return taken;
  }

  #count(
    { plan, principal, mirrorOf }: Pick<Exchange, 'plan' | 'principal' | 'mirrorOf'>,
    { target, isFailed }: { readonly target?: string; readonly isFailed: boolean },
  ): void {
    if (plan === undefined || mirrorOf !== undefined) return;
    const { tenant, organisation, workspace } = principal;
    const { name } = plan.routing;
    const key = JSON.stringify([workspace ?? tenant, name, plan.isCallers === true, target]);
    let counted = this.#counts.get(key);
    if (counted === undefined) {
      if (this.#counts.size >= maxCounted) {
        this.#dropped += 1;
        return;
      }
      const isCallers = plan.isCallers === true;
      const whose = {
        tenant,
        ...(organisation === undefined ? {} : { organisation }),
        ...(workspace === undefined ? {} : { workspace }),
      };
      counted = { principal: whose, plan: name, isCallers, target, failed: 0, all: 0 };
      this.#counts.set(key, counted);
    }
    counted.all += 1;
    if (isFailed) counted.failed += 1;
  }
}
