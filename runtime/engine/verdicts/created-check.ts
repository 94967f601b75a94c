import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Check } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { Json } from '../../../schema/json/json.ts';

/** A check with its parameters, as one request may use it. */
export interface CreatedCheck {
  readonly check: Check;
  /** A text without what is in it of the check's secrets. */
  masked(text: string): string;
  /** Returns the data of a verdict, without the check's secrets: a service may send back what it was asked with. */
  shown(data: Json): Json;
}

/** A check of a plan. */
export interface PlanCheck {
  /** The check for the secrets that a request's config brings. */
  of(exchange: Exchange): CreatedCheck;
  /** It stands at several places of the plan, so that one request may ask it more than once. */
  isShared: boolean;
}
