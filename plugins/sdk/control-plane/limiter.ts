import type { SavedPrices } from '../../../schema/usage/model-price.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Exchange, Principal } from '../exchange/exchange.ts';

/** An attempt that is about to be sent. */
export interface LimitedAttempt {
  /** The id of the target in the plan. */
  readonly target: string;
  /** The provider's id, such as `openai`. */
  readonly provider: string;
  /** The slug of the saved provider or virtual key that is called. Absent if the config names none. */
  readonly slug?: string;
  /** The requested model. Empty if the request names none. */
  readonly model: string;
  /**
   * The slug of the stored prompt that it sends. Absent if there is none. The two attempts of a hedge may send different prompts.
   */
  readonly prompt?: string;
  /** The size of the body that is sent, in bytes; 0 if the body is passed through as it arrives. */
  readonly bodyBytes: number;
  /** Whether it is passed through. Its usage is only known if the answer reports it in a known form. */
  readonly isPassedThrough?: true;
  /** The maximum number of output tokens that the request allows. Absent if it sets none. */
  readonly maxOutput?: number;
  /** The service tier that the request asks for, such as `priority`, in the words of prices. Absent if it asks for none. */
  readonly tier?: string;
  /**
   * Billable units that the request asks for besides tokens, by their names in `UsageRecord.calls`, such as `image`. Absent if
   * there are none.
   */
  readonly calls?: Readonly<Record<string, number>>;
  /** @deprecated Use `maxOutput`. */
  readonly mostOutput?: number;
  /** The prices of the saved provider. Absent if it states none. */
  readonly prices?: SavedPrices;
}

/** The amounts reserved for an attempt. Either `settle` or `release` is called, once. Neither may throw. */
export interface Reservation {
  /** Called when the attempt was sent and has ended. `usage` is empty if the provider answered with a status of 400 or above. */
  settle(usage: UsageRecord): void;
  /** Called if the attempt was not sent. */
  release(): void;
}

/** A request that has been admitted and may be routed. */
export interface LimitedRequest {
  /**
   * Called before each attempt is sent. Throws, or rejects with, a `GatewayError` if a limit is reached. If the limit belongs to
   * the target, another branch may succeed; if it belongs to the request, the error's report is not `curable`.
   */
  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation>;
  /**
   * Called once, when the request has ended and each of its attempts was settled or released. If no attempt was sent, for example
   * because a cache answered, the request is not counted.
   */
  end(): void;
}

/** The plan that is about to serve a request. */
export interface LimitedPlan {
  /** The name of the plan, which is that of its config. */
  readonly name: string;
}

/** Counts requests and what they use, and enforces limits. */
export interface Limiter {
  /** Whether a limit of the caller depends on the model, so that passed-through forms have to be read. False if absent. */
  readsModels?(principal: Principal): boolean;
  /**
   * Called once for each request, when its plan is known and before it is routed. Returns undefined if nothing has to be counted.
   * Throws, or rejects with, a `GatewayError` if a limit of the request is reached.
   */
  admit(exchange: Exchange, plan: LimitedPlan): LimitedRequest | undefined | Promise<LimitedRequest | undefined>;
}
