import type { SavedPrices } from '../../../schema/usage/model-price.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { Exchange, Principal } from '../exchange/exchange.ts';

/** An attempt that is about to be sent. */
export interface LimitedAttempt {
  /** The id of the target in the plan. */
  readonly target: string;
  /** The provider's id, as `openai`. */
  readonly provider: string;
  /** The slug of the saved provider or virtual key that is called; absent if the config names none. */
  readonly slug?: string;
  /** The model that is requested; empty if the request names none. */
  readonly model: string;
  /** The slug of the stored prompt that it sends; absent if that is none. Of a hedged request, two attempts may send different ones. */
  readonly prompt?: string;
  /** The bytes of the body that is sent; 0 if it is passed through as it arrives. */
  readonly bodyBytes: number;
  /** It is passed through: what it uses is known only where its answer says so in a known way. */
  readonly isPassedThrough?: true;
  /** The most tokens that the request lets the model answer with; absent if it does not say. */
  readonly maxOutput?: number;
  /**
   * What the request asks for that is counted beside tokens, by its name in `UsageRecord.calls`, as `image` for pictures; absent
   * where nothing is.
   */
  readonly calls?: Readonly<Record<string, number>>;
  /** @deprecated Read `maxOutput`. */
  readonly mostOutput?: number;
  /** The prices of the saved provider; absent if it says nothing. */
  readonly prices?: SavedPrices;
}

/** The amounts that an attempt may use. Either `settle` or `release` is called, once, and neither may throw. */
export interface Reservation {
  /** The attempt was sent and has ended, and used this: nothing, if the provider answered 400 or above. */
  settle(usage: UsageRecord): void;
  /** The attempt was not sent. */
  release(): void;
}

/** A request that may be routed. */
export interface LimitedRequest {
  /**
   * Before each attempt is sent. Throws, or rejects with, a `GatewayError` where a limit is reached: one that another branch
   * can cure where the limit is of the target, and one whose report is not `curable` where it is of the request.
   */
  attempt(attempt: LimitedAttempt): Reservation | Promise<Reservation>;
  /**
   * The request has ended, and each of its attempts was settled or released; called once. Without an attempt that was sent,
   * as where a cache answers, it is not counted.
   */
  end(): void;
}

/** The plan that is about to serve a request. */
export interface LimitedPlan {
  /** The name of the plan, which is that of its config. */
  readonly name: string;
}

/** Counts requests and what they use, and limits them. */
export interface Limiter {
  /** Whether a limit of the caller depends on the model: then forms that are passed through are read. False if absent. */
  readsModels?(principal: Principal): boolean;
  /**
   * Once for each request, when its plan is known and before it is routed. Undefined if nothing is counted of it. Throws, or
   * rejects with, a `GatewayError` where a limit of the request is reached.
   */
  admit(exchange: Exchange, plan: LimitedPlan): LimitedRequest | undefined | Promise<LimitedRequest | undefined>;
}
