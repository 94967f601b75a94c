import type { ErrorReport } from '../../schema/errors.ts';
import type { JsonObject, NonEmptyArray } from '../../schema/json.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import type { TrailEvent } from '../../schema/trail.ts';
import type { NamesOf, PlanNames } from '../../schema/typed-plan.ts';
import type { Plugin } from '../sdk/plugin.ts';
import type { Picks } from './heaviest-branch.ts';
import type { RecordedCall } from './recording-provider.ts';
import type { UpstreamReply } from './replies.ts';

/** The request of a route test; all that is left out is a plain question in the dialect `chat`. */
export type RouteRequest<Metadata> = {
  readonly dialect?: string;
  /** After the gateway's `/v1`; the dialect's own path where absent. */
  readonly path?: string;
  /** Laid over a plain question's body. */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** For targets whose provider the caller brings; `echo` where absent. */
  readonly provider?: string;
  /** Which branches load balances take; the heaviest where absent. */
  readonly picks?: Picks;
} & (Record<never, never> extends Metadata ? { readonly metadata?: Metadata } : { readonly metadata: Metadata });

/** What each target does when it is called: always the same, or one reply after the other, the last one for ever. */
export type RouteReplies<Target extends string> = {
  readonly [Id in Target]?: UpstreamReply | NonEmptyArray<UpstreamReply>;
};

/** What became of a request. */
export interface RouteRun<Target extends string = string> {
  /** All of it in one line, to be printed: `prod: claude 404 -> gpt 200`. */
  readonly summary: string;
  /** Whom the plan called, in order, retries too. */
  readonly targets: readonly Target[];
  readonly status: number;
  /** Parsed where it is JSON, else the text: a stream's events as they were sent. */
  readonly answer: unknown;
  /** How the answer broke off, where it did. */
  readonly failure?: ErrorReport;
  /** Milliseconds from the request to the end of its answer. */
  readonly elapsedMs: number;
  readonly calls: readonly RecordedCall[];
  readonly trail: readonly TrailEvent[];
}

/** A route test in the making; each step gives a new one. */
export interface RouteTest<Names extends PlanNames = PlanNames> {
  /** What comes in. */
  given(request: RouteRequest<Names['metadata']>): RouteTest<Names>;
  /** What the targets do; those that are not named answer well. */
  when(replies: RouteReplies<Names['target']>): RouteTest<Names>;
  /** Runs it. Throws an `Error` that tells the whole story where other targets were called, or in another order. */
  expect(targets: readonly Names['target'][], also?: { readonly status?: number }): Promise<RouteRun<Names['target']>>;
  /** Runs it and judges nothing. */
  run(): Promise<RouteRun<Names['target']>>;
}

export interface RouteOptions {
  /** Beside those that come with the gateway. */
  readonly plugins?: readonly Plugin[];
}

/** Begins a test of a plan's routes. The names that it takes are those of the plan's type. */
export type Route = <Typed extends RoutingPlan>(plan: Typed, options?: RouteOptions) => RouteTest<NamesOf<Typed>>;
