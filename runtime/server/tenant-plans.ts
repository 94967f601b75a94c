import type { TenantId } from '../../plugins/sdk/exchange.ts';
import type { Identify } from '../../plugins/sdk/identities.ts';
import type { TenantConfig, Tenants, TenantView } from '../../plugins/sdk/tenants.ts';
import { errorReport, GatewayError } from '../../schema/errors.ts';
import type { CompileResult, RoutingPlan } from '../../schema/plan.ts';
import type { Saved } from '../../schema/saved.ts';
import { toServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { LinkError } from '../link/link-error.ts';
import { type CallerPlans, type CompileCaller, createCallerPlans } from './caller-plans.ts';
import { type CompletedPlans, createCompletedPlans } from './completed-plans.ts';
import type { CompiledPlan, PlanCache } from './plan-cache.ts';

/** The compiler for what a tenant has saved, and for its callers. */
export interface TenantCompiler {
  compileSaved(text: string, name: string): CompileResult | Promise<CompileResult>;
  readonly compileCaller: CompileCaller;
}

export interface TenantPlansOptions {
  readonly tenants: Tenants;
  /** Loads the compiler for one tenant's names. */
  readonly load: (saved: Saved) => Promise<TenantCompiler>;
  readonly link: (plan: RoutingPlan, secrets: TenantView['secrets']) => LinkedPlan;
  /** Who holds a service key: none may stand in a config. */
  readonly identify?: Identify;
  /** The plans of all tenants together. */
  readonly cache: PlanCache;
}

/** The plans of one tenant, at one version of what it has saved. */
export interface TenantChoice {
  /** The plan of a saved config; undefined if there is none of the name. */
  saved(name: string): CompiledPlan | Promise<CompiledPlan> | undefined;
  /** The names of the saved configs. */
  names(): Iterable<string>;
  readonly callerPlans: CallerPlans;
  readonly completed: CompletedPlans;
  readonly defaultConfig: string | undefined;
}

/** The plans of tenants. */
export interface TenantPlans {
  /** Undefined for a tenant that has saved nothing. */
  of(tenant: TenantId): TenantChoice | undefined | Promise<TenantChoice | undefined>;
}

/** The most tenants whose choices are kept ready. */
const mostTenants = 10_000;

/** What does not change with the configs of a tenant. */
interface Things {
  readonly version: string;
  readonly compiler: () => Promise<TenantCompiler>;
  readonly callerPlans: CallerPlans;
  readonly completed: CompletedPlans;
}

interface Known {
  readonly view: TenantView;
  readonly things: Things;
  readonly choice: TenantChoice;
}

/**
 * Compiles and links what tenants have saved, each thing when a request first needs it. A plan is kept by its tenant, by the
 * version of what it can name, and by its own version or text: nothing of one tenant is ever found by another.
 */
export const createTenantPlans = ({ tenants, load, link, identify, cache }: TenantPlansOptions): TenantPlans => {
  const known = new Map<TenantId, Known>();

  const linked = (plan: RoutingPlan, { secrets }: TenantView): LinkedPlan => {
    try {
      return link(plan, secrets);
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      throw new GatewayError(errorReport('saved-not-usable', {}), { cause });
    }
  };

  const scopeOf = (tenant: TenantId, version: string): string => `${tenant} ${version}`;

  const thingsOf = (tenant: TenantId, { version, saved, secrets }: TenantView): Things => {
    let loading: Promise<TenantCompiler> | undefined;
    const compiler = (): Promise<TenantCompiler> => {
      loading ??= load(saved);
      return loading;
    };
    return {
      version,
      compiler,
      callerPlans: createCallerPlans({
        load: async () => (await compiler()).compileCaller,
        link: (plan) => link(plan, secrets),
        cache,
        scope: scopeOf(tenant, version),
        ...(identify === undefined ? {} : { identify }),
      }),
      completed: createCompletedPlans((plan) => link(plan, secrets)),
    };
  };

  const choiceOf = (tenant: TenantId, view: TenantView, things: Things): TenantChoice => {
    const compileSaved = async (key: string, config: TenantConfig): Promise<CompiledPlan> => {
      const text = await config.text();
      const { plan, secrets, diagnostics } = await (await things.compiler()).compileSaved(text, config.name);
      const made = plan === undefined ? { refused: diagnostics } : toServedPlan(linked(plan, view), secrets);
      cache.set(key, made);
      return made;
    };
    /** Requests for the same config wait for one compilation. */
    const compiling = new Map<string, Promise<CompiledPlan>>();

    return {
      saved: (name) => {
        const config = view.config(name);
        if (config === undefined) return undefined;
        const key = `${scopeOf(tenant, view.version)} ${config.name} ${config.version}`;
        const found = cache.get(key) ?? compiling.get(key);
        if (found !== undefined) return found;
        const made = compileSaved(key, config).finally(() => compiling.delete(key));
        compiling.set(key, made);
        return made;
      },
      names: () => view.configNames(),
      callerPlans: things.callerPlans,
      completed: things.completed,
      defaultConfig: view.defaultConfig,
    };
  };

  const take = (tenant: TenantId, view: TenantView | undefined): TenantChoice | undefined => {
    if (view === undefined) {
      known.delete(tenant);
      return undefined;
    }
    const before = known.get(tenant);
    if (before?.view === view) return before.choice;
    const things = before?.things.version === view.version ? before.things : thingsOf(tenant, view);
    const choice = choiceOf(tenant, view, things);
    if (before === undefined && known.size >= mostTenants) {
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    known.set(tenant, { view, things, choice });
    return choice;
  };

  return {
    of: (tenant) => {
      const view = tenants.view(tenant);
      return view instanceof Promise ? view.then((read) => take(tenant, read)) : take(tenant, view);
    },
  };
};
