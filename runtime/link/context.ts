import type { Check } from '../../plugins/sdk/guardrail.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import type { RoutingPlan, SecretRef } from '../../schema/plan.ts';
import type { Breakers } from '../ports/breakers.ts';
import type { Chance } from '../ports/chance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Upstreams } from '../ports/upstreams.ts';
import type { AnswerBounds } from './attempt/answer-bounds.ts';
import type { Deadlines } from './attempt/deadlines.ts';
import type { Names } from './names.ts';
import type { Notices } from './notices.ts';
import type { PreparedTargets } from './target/prepared-targets.ts';

/** The world outside, as a plan's run sees it. */
export interface LinkPorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly breakers: Breakers;
  readonly upstreams: Upstreams;
  /** The defaults where absent. */
  readonly bounds?: AnswerBounds;
}

/** What becomes of a body on a path that is not modelled, where a check of the target may deny. */
export type PassThrough = 'judged' | 'allow';

/** What the linking of one plan's nodes shares. */
export interface LinkContext {
  readonly plan: RoutingPlan;
  readonly hooks: Hooks;
  readonly ports: LinkPorts;
  readonly names: Names;
  readonly notices: Notices;
  readonly secrets: (ref: SecretRef) => string | undefined;
  readonly prepared: PreparedTargets;
  readonly deadlines: Deadlines;
  /** The checks of this plan, by what they were made of: leaves that inherit one have it in common. */
  readonly checks: Map<string, Check>;
  /** The plan came with a request: its hosts are the caller's. */
  readonly callerPlan: boolean;
  /** `allow`: bodies that checks cannot read are passed through all the same. */
  readonly passThrough: PassThrough;
  /** What to say to somebody who names a provider that is not here. */
  readonly suggestProvider: (name: string) => string;
}
