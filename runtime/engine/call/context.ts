import type { ReferenceGuard } from '../../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoredPrompts } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { CheckServices } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import type { CheckCall, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { Deadlines } from '../../async/deadlines.ts';
import type { Balances } from '../../in-memory/balances.ts';
import type { HedgeBudgets } from '../../in-memory/hedge-budgets.ts';
import type { KeyCoolings } from '../../in-memory/key-coolings.ts';
import type { Probes } from '../../in-memory/probes.ts';
import type { Breakers } from '../../ports/breakers.ts';
import type { Chance } from '../../ports/chance.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Prices } from '../../ports/prices.ts';
import type { Upstreams } from '../../ports/upstreams.ts';
import type { PlanCheck } from '../guardrail-verdicts/created-check.ts';
import type { Caches } from '../plugin-caches/caches.ts';
import type { BackgroundHooks } from '../plugins/background-hooks.ts';
import type { Meters } from '../plugins/meters.ts';
import type { Notices } from '../plugins/notices.ts';
import type { LeavesUnread } from '../plugins/unread.ts';
import type { LinkTargetContext } from '../target/linked-target.ts';
import type { AnswerBounds, AnswerMemory } from './answer-bounds.ts';
import type { LeafCall, LeafStep } from './leaf-call.ts';
import type { Mirrors } from './mirrors.ts';
import type { Abilities } from './run.ts';

/** The leaf whose attempts need places. */
export interface PlacedAttempts {
  readonly target: Target;
  /** Whether a circuit of the leaf is not closed for a call. */
  readonly isCircuitOpen: (call: LeafCall) => boolean;
}

/** Limits the open attempts to a target to as many as it can serve. */
export interface TargetPlaces {
  /** Wraps the attempts of a leaf so that each runs once it has a place. */
  around(attempt: LeafStep, leaf: PlacedAttempts): LeafStep;
  /** Whether the gateway is overloaded. If so, it sends nothing that no client waits for. */
  isBusy(): boolean;
}

/** The environment of a running plan. */
export interface LinkPorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly breakers: Breakers;
  readonly upstreams: Upstreams;
  /** If absent, costs are not known. */
  readonly prices?: Prices;
  /** The abilities of targets. Default: from the facts of models and the codecs of dialects. */
  readonly abilities?: Abilities;
  /** If absent, the defaults apply. */
  readonly bounds?: AnswerBounds;
  /** If absent, whole answers are limited only individually. */
  readonly answerMemory?: AnswerMemory;
  /** If absent, any number of attempts may be open. */
  readonly places?: TargetPlaces;
}

/** The treatment of a body on a path that is not modelled, if a check of the target may deny. */
export type PassThrough = 'judged' | 'allow';

/**
 * The treatment of a request that a provider's dialect cannot express in full: it is sent and the client is notified, or
 * refused.
 */
export type OnLoss = 'tell' | 'refuse';

/** Whether hints about what their provider may cache are added to requests. */
export type PromptCache = 'off' | 'auto';

/** The context that all nodes of one plan share while they are linked. */
export interface LinkContext extends LinkTargetContext {
  readonly plan: RoutingPlan;
  readonly hooks: Hooks;
  readonly ports: LinkPorts;
  readonly notices: Notices;
  /** The stored prompts that the plan names. */
  readonly prompts: StoredPrompts;
  readonly deadlines: Deadlines;
  readonly caches: Caches;
  /** The state of load balances. Shared by the plans of a gateway, and created on first use. */
  readonly balances: () => Balances;
  /** The keys that providers currently refuse or limit. Shared by the plans of a gateway. */
  readonly coolings: () => KeyCoolings;
  /** Knows what targets cannot do. Shared by the plans of a gateway, and created on first use. */
  readonly abilities: () => Abilities;
  /** The hedge budgets of fallbacks. Shared by the plans of a gateway, and created on first use. */
  readonly hedgeBudgets: () => HedgeBudgets;
  /** The probes of all plans of a gateway. Created when a circuit with probes first opens. */
  readonly probes: () => Probes;
  /** Ends when the plan is replaced. */
  readonly lifetime: Cancellation;
  /** The copies of requests that are in flight. Shared by the plans of a gateway, and created on first use. */
  readonly mirrors: () => Mirrors;
  /** The services of the gateway that checks may use. */
  readonly services: CheckServices;
  /** The checks that a tenant added to the plan, and what these may use. */
  readonly tenantChecks: ReadonlySet<CheckCall>;
  readonly tenantServices: CheckServices;
  /** The checks of this plan, by definition. Leaves that inherit a check share it. */
  readonly checks: Map<string, PlanCheck>;
  /** The hooks that nobody waits for. Shared by the plans of a gateway. */
  readonly background: BackgroundHooks;
  /** With `allow`, bodies that checks cannot read are passed through anyway. */
  readonly passThrough: PassThrough;
  /** The only client headers that are passed through, in lower case. If absent, all are. */
  readonly passThroughHeaders: ReadonlySet<string> | undefined;
  readonly onLoss: OnLoss;
  /** How checks read bodies. A caller's workspace may require that more turns are judged. */
  readonly reading: TextReading;
  readonly promptCache: PromptCache;
  /** Judges what requests name in accounts that tenants share. Absent if nothing is shared. */
  readonly references: ReferenceGuard | undefined;
  /** Whether something consumes the usage of a request's attempts. A caller may also consume that of its own. */
  readonly meters: Meters;
  readonly leavesUnread: LeavesUnread;
}
