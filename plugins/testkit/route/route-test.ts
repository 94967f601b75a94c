import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject, NonEmptyArray } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { NamesOf, PlanNames } from '../../../schema/plan/typed-plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import type { Picks } from './heaviest-branch.ts';
import type { RecordedCall } from './recording-provider.ts';
import type { UpstreamReply } from './replies.ts';

/** The request of a route test. By default, a plain question in the dialect `chat`. */
export type RouteRequest<Metadata> = {
  readonly dialect?: string;
  /** The path after the gateway's `/v1`. The dialect's own path if absent. */
  readonly path?: string;
  /**
   * Members that override those of a plain question's body. `model` and `stream` go to the path if the dialect has them there.
   */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fact `plan.model`: the config that a virtual model stands for. If absent, the request names none. */
  readonly planModel?: string;
  /** The provider for targets whose provider the caller chooses; `echo` if absent. */
  readonly provider?: string;
  /** The branches that load balances use; the heaviest if absent. */
  readonly picks?: Picks;
} & (Record<never, never> extends Metadata ? { readonly metadata?: Metadata } : { readonly metadata: Metadata });

/** How each target behaves when it is called: always the same, or one reply after another, repeating the last. */
export type RouteReplies<Target extends string> = {
  readonly [Id in Target]?: UpstreamReply | NonEmptyArray<UpstreamReply>;
};

/** The outcome of a request. */
export interface RouteRun<Target extends string = string> {
  /** The run in one line, for printing: `prod: claude 404 -> gpt 200`. */
  readonly summary: string;
  /** The targets that were called, in order, including retries. */
  readonly targets: readonly Target[];
  readonly status: number;
  /** Parsed if it is JSON, otherwise the text. For a stream, its events as sent. */
  readonly answer: unknown;
  /** Why the answer broke off, if it did. */
  readonly failure?: ErrorReport;
  /** Milliseconds from the request to the end of its answer. */
  readonly elapsedMs: number;
  readonly calls: readonly RecordedCall[];
  readonly trail: readonly TrailEvent[];
}

/** A route test. Each step returns a new one. */
export interface RouteTest<Names extends PlanNames = PlanNames> {
  /** Sets the request. */
  given(request: RouteRequest<Names['metadata']>): RouteTest<Names>;
  /** Sets how targets reply. Targets that are not named answer successfully. */
  when(replies: RouteReplies<Names['target']>): RouteTest<Names>;
  /** Runs the test. Throws an `Error` that lists all steps if other targets were called, or in another order. */
  expect(targets: readonly Names['target'][], also?: { readonly status?: number }): Promise<RouteRun<Names['target']>>;
  /** Runs the request without checking anything. */
  run(): Promise<RouteRun<Names['target']>>;
}

export interface RouteOptions {
  /** Plugins in addition to the built-in ones. */
  readonly plugins?: readonly Plugin[];
}

/** Starts a test of a plan's routes. The names that it accepts come from the plan's type. */
export type Route = <Typed extends RoutingPlan>(plan: Typed, options?: RouteOptions) => RouteTest<NamesOf<Typed>>;
