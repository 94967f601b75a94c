import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Check } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { Json } from '../../../schema/json/json.ts';

/** A check with its parameters, as one request may use it. */
export interface CreatedCheck {
  readonly check: Check;
  /** Returns a text without the check's secrets. */
  masked(text: string): string;
  /** Returns the data of a verdict without the check's secrets, because a service may echo what it was sent. */
  shown(data: Json): Json;
}

/** A check of a plan. */
export interface PlanCheck {
  /** Returns the check for the secrets that a request's config brings. */
  of(exchange: Exchange): CreatedCheck;
  /** Whether it is used at several places of the plan, so that one request may run it more than once. */
  isShared: boolean;
}
