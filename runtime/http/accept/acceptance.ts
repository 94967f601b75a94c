import type { GatewayError } from '../../../schema/errors/errors.ts';
import type { LinkedPlan } from '../../engine/link.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { AcceptHeaders } from '../headers/read-caller-headers.ts';

/** Finds the plan of a request. Throws, or rejects with, the `GatewayError` that says why there is none. */
export type ChoosePlan = (exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>;

/** How the clients of another gateway are served. */
export interface Acceptance {
  readonly readHeaders: AcceptHeaders;
  /** Returns an error that names headers as its client knows them. */
  readonly named: (error: GatewayError, exchange: HttpExchange) => GatewayError;
  /** Does the same for the errors of a choice. */
  readonly choose: (choose: ChoosePlan) => ChoosePlan;
}
