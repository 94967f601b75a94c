import type { DefaultGuardrails, TenantView } from '../../plugins/sdk/control-plane/tenants.ts';
import { CodeNotLoaded, whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import type { Saved } from '../../schema/config/saved.ts';
import type { CheckCall, CompileResult, LeafNode, RoutingPlan, SecretValue, Stage } from '../../schema/plan/plan.ts';
import { isCheckStage, listChecks } from '../../schema/plan/stages.ts';
import { LinkError } from '../engine/link-error.ts';
import { type ServedPlan, toServedPlan } from '../file-plans/served-plan.ts';
import type { Timed } from './compile-shares.ts';
import { compileDefaults, type DefaultChecks, defaultsNotUsable, type UnusableDefaults } from './default-checks.ts';
import type { CompiledPlan, PlanCache } from './plan-cache.ts';

const shifted = (secret: SecretValue, by: number): SecretValue =>
  secret.kind === 'slot' ? { ...secret, slot: secret.slot + by } : secret;

const shiftedCall = ({ secrets, ...call }: CheckCall, by: number): CheckCall =>
  secrets === undefined
    ? call
    : {
        ...call,
        secrets: Object.fromEntries(Object.entries(secrets).map(([place, secret]) => [place, shifted(secret, by)])),
      };

const shiftedStage = (stage: Stage, by: number): Stage => {
  if (!isCheckStage(stage)) return stage;
  const [first, ...others] = stage.hooks.map((hook) => ({
    ...hook,
    checks: hook.checks.map((call) => shiftedCall(call, by)),
  }));
  return first === undefined ? stage : { ...stage, hooks: [first, ...others] };
};

/** Returns a leaf whose checks find their secrets `by` slots later. */
const offsetSecretSlots = (leaf: LeafNode, by: number): LeafNode =>
  by === 0 ? leaf : { ...leaf, stages: leaf.stages.map((stage) => shiftedStage(stage, by)) };

/** The parts of the compiler that default guardrails need. */
export interface DefaultsCompiler {
  compileSaved(text: string, name: string, timed?: Timed): CompileResult | Promise<CompileResult>;
  /** Returns the plan with the checks of `defaults`, a plan of one leaf, appended to those of every leaf. */
  withDefaultHooks(plan: RoutingPlan, defaults: RoutingPlan): RoutingPlan;
}

export interface GuardedPlansOptions {
  readonly defaults: DefaultGuardrails;
  readonly compiler: () => Promise<DefaultsCompiler>;
  /** The guardrails that the tenant can name. */
  readonly guardrails: Saved['guardrails'];
  /** The credentials of the tenant's guardrails. */
  readonly secrets: TenantView['secrets'];
  readonly cache: PlanCache;
  /** Returns a new key of the cache on every call. */
  readonly newKey: () => string;
}

/**
 * Returns the plan with the default guardrails of a tenant, linked once while it is cached. A refused plan is returned unchanged.
 * Throws, or rejects with, the `GatewayError` `default-guardrail-not-usable`.
 */
export type GuardPlan = (plan: CompiledPlan) => CompiledPlan | Promise<CompiledPlan>;

interface Ready {
  readonly made: DefaultChecks | UnusableDefaults;
  readonly compiler: DefaultsCompiler;
}

const shiftedBy = ({ plan }: DefaultChecks, slots: number): RoutingPlan =>
  plan.root.kind === 'leaf' ? { ...plan, root: offsetSecretSlots(plan.root, slots) } : plan;

export const createGuardedPlans = (options: GuardedPlansOptions): GuardPlan => {
  const { defaults, compiler, guardrails, secrets, cache, newKey } = options;
  /** The cache limits their total size. A key is dropped when nothing refers to its plan any more. */
  const keys = new WeakMap<ServedPlan, string>();
  let ready: Ready | undefined;
  let loading: Promise<Ready> | undefined;

  const load = async (): Promise<Ready> => {
    const loaded = await compiler();
    const made = await compileDefaults(defaults, (text, name) => loaded.compileSaved(text, name));
    ready = { made, compiler: loaded };
    return ready;
  };

  const link = ({ linked }: ServedPlan, plan: RoutingPlan, added: RoutingPlan): ServedPlan['linked'] => {
    const tenantChecks = new Set(added.root.kind === 'leaf' ? added.root.stages.flatMap(listChecks) : []);
    try {
      return linked.relink({ plan, tenantChecks, secrets });
    } catch (cause) {
      if (cause instanceof CodeNotLoaded) throw cause;
      // The plan could be linked without them, so they are what is wrong.
      const problems = cause instanceof LinkError ? cause.problems : [];
      const names = [...new Set([...defaults.input, ...defaults.output])];
      const named = names.filter((name) => problems.some((problem) => problem.includes(name)));
      const reason =
        problems.length > 0 ? 'A secret or a plugin that it needs is missing.' : 'One of its checks cannot be created.';
      throw defaultsNotUsable({ guardrails: named.length === 0 ? names : named, reason }, guardrails, { cause });
    }
  };

  const guard = (chosen: ServedPlan, { made, compiler: { withDefaultHooks } }: Ready): ServedPlan => {
    if (!('plan' in made)) throw defaultsNotUsable(made, guardrails);
    const added = shiftedBy(made, chosen.secrets.length);
    const plan = withDefaultHooks(chosen.linked.plan, added);
    const secrets = [...chosen.secrets, ...made.secrets];
    return toServedPlan(link(chosen, plan, added), { origin: chosen.origin, secrets });
  };

  return (chosen) => {
    if (!('linked' in chosen)) return chosen;
    const key = keys.get(chosen) ?? newKey();
    keys.set(chosen, key);
    const found = cache.get(key);
    if (found !== undefined) return found;
    const keep = (now: Ready): CompiledPlan => {
      const made = cache.get(key) ?? guard(chosen, now);
      cache.set(key, made);
      return made;
    };
    const keepWhenLoaded = (now: Ready): CompiledPlan | Promise<CompiledPlan> => whenLoaded(() => keep(now));
    if (ready !== undefined) return keepWhenLoaded(ready);
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading.then(keepWhenLoaded);
  };
};
