import type { Identify } from '../../plugins/sdk/control-plane/identities.ts';
import type { StoredPrompts } from '../../plugins/sdk/control-plane/stored-prompt.ts';
import type { TenantConfig, Tenants, TenantView } from '../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { whenLoaded } from '../../plugins/sdk/loading/when-loaded.ts';
import { aliasConfig } from '../../schema/config/alias-config.ts';
import { readVirtualTargets, type VirtualTarget } from '../../schema/config/virtual-models.ts';
import { errorReport, GatewayError } from '../../schema/errors/errors.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { LinkError } from '../engine/link-error.ts';
import { toServedPlan } from '../file-plans/served-plan.ts';
import { type CallerPlans, createCallerPlans } from './caller-plans.ts';
import type { CompileShares } from './compile-shares.ts';
import { type CompletedPlans, type CompletedPlansOptions, createCompletedPlans } from './completed-plans.ts';
import { createGuardedPlans, type GuardPlan } from './guarded-plans.ts';
import type { CompiledPlan, PlanCache } from './plan-cache.ts';
import type { NameableProviders } from './saved-models.ts';
import { type LoadTenantCompiler, loadTenantCompiler, type TenantCompiler } from './tenant-compiler.ts';
import type { OwnModel, OwnModels } from './virtual-models.ts';

/** The parts that a tenant's plan is linked with. */
export interface OwnParts {
  readonly secrets: TenantView['secrets'];
  /** The stored prompts that its config names. */
  readonly prompts?: StoredPrompts | undefined;
}

export interface TenantPlansOptions {
  readonly tenants: Tenants;
  /** Loads the compiler for one tenant's names. */
  readonly load: LoadTenantCompiler;
  readonly link: (plan: RoutingPlan, own: OwnParts) => LinkedPlan;
  readonly provider: CompletedPlansOptions['provider'];
  /** The secrets that the gateway file refers to. */
  readonly secrets: NameableProviders['secrets'];
  /** Returns who holds a service key. No config may contain one. */
  readonly identify?: Identify | undefined;
  /** The plans of all tenants together. */
  readonly cache: PlanCache;
  /** Limits the time of each tenant. */
  readonly shares?: CompileShares;
}

/** The plans of one tenant, for one version of what it has saved. */
export interface TenantChoice {
  /** Returns the plan of a saved config. Undefined if there is none with the name. */
  saved(name: string): CompiledPlan | Promise<CompiledPlan> | undefined;
  /** Returns the names of the saved configs. */
  names(): Iterable<string>;
  readonly callerPlans: CallerPlans;
  readonly completed: CompletedPlans;
  readonly defaultConfig: string | undefined;
  /** The saved virtual models. */
  readonly models: OwnModels;
  /** The saved providers that its callers can name. */
  readonly nameable: NameableProviders;
  /** Adds the default guardrails to the plan of a request. Undefined if there are none. */
  readonly guard: GuardPlan | undefined;
}

/** The plans of tenants. */
export interface TenantPlans {
  /** Returns undefined for a tenant that has saved nothing. */
  of(tenant: TenantId): TenantChoice | undefined | Promise<TenantChoice | undefined>;
}

/** The maximum number of tenants whose choices are kept ready. */
const maxTenants = 10_000;

/** The parts that do not change with the configs of a tenant. */
interface Things {
  readonly version: string;
  readonly compiler: () => Promise<TenantCompiler>;
  readonly callerPlans: CallerPlans;
  readonly completed: CompletedPlans;
  readonly guard: GuardPlan | undefined;
}

interface Known {
  readonly view: TenantView;
  readonly things: Things;
  readonly choice: TenantChoice;
}

/**
 * Compiles and links what tenants have saved, each on first use. A plan is stored under its tenant, the version of what it can
 * name, and its own version or text, so that no tenant ever finds anything of another's.
 */
export const createTenantPlans = ({
  tenants,
  load,
  link,
  provider,
  secrets,
  identify,
  cache,
  shares,
}: TenantPlansOptions): TenantPlans => {
  const known = new Map<TenantId, Known>();
  let guardedPlans = 0;

  const linked = (plan: RoutingPlan, own: OwnParts): LinkedPlan => {
    try {
      return link(plan, own);
    } catch (cause) {
      if (!(cause instanceof LinkError)) throw cause;
      throw new GatewayError(errorReport('saved-not-usable', {}), { cause });
    }
  };

  /** No other key begins with a line break. */
  const newKey = (): string => {
    guardedPlans += 1;
    return `\nguarded ${guardedPlans}`;
  };

  /**
   * Returns the compiler, which compiles what is saved in its tenant's turn. The configs of callers take turns in their cache.
   */
  const inTurn = (tenant: TenantId, compiler: TenantCompiler): TenantCompiler =>
    shares === undefined
      ? compiler
      : {
          ...compiler,
          compileSaved: (text, name) => shares.runSaved(tenant, (timed) => compiler.compileSaved(text, name, timed)),
        };

  const toScope = (tenant: TenantId, version: string): string => `${tenant} ${version}`;

  const toSnapshot = (tenant: TenantId, view: TenantView): Things => {
    const {
      version,
      secrets,
      defaultGuardrails,
      saved: { guardrails },
    } = view;
    let loading: Promise<TenantCompiler> | undefined;
    const compiler = (): Promise<TenantCompiler> => {
      loading ??= loadTenantCompiler(view, load).then((loaded) => inTurn(tenant, loaded));
      return loading;
    };
    return {
      version,
      compiler,
      callerPlans: createCallerPlans({
        load: async () => (await compiler()).compileCaller,
        link: (plan, prompts) => link(plan, { secrets, prompts }),
        cache,
        shares,
        scope: toScope(tenant, version),
        identify,
      }),
      completed: createCompletedPlans({ link: (plan) => link(plan, { secrets }), provider }),
      guard:
        defaultGuardrails &&
        createGuardedPlans({ defaults: defaultGuardrails, compiler, guardrails, secrets, cache, newKey }),
    };
  };

  const toChoice = (tenant: TenantId, view: TenantView, things: Things): TenantChoice => {
    const compileSaved = async (key: string, config: Pick<TenantConfig, 'name' | 'text'>): Promise<CompiledPlan> => {
      const text = await config.text();
      const compiled = await (await things.compiler()).compileSaved(text, config.name);
      const { plan, secrets, diagnostics, prompts } = compiled;
      const own = { secrets: view.secrets, prompts };
      const made =
        plan === undefined
          ? { refused: diagnostics, saved: config.name }
          : toServedPlan(await whenLoaded(() => linked(plan, own)), { origin: 'saved', secrets });
      cache.set(key, made);
      return made;
    };
    /** Requests for the same config wait for one compilation. */
    const compiling = new Map<string, Promise<CompiledPlan>>();
    /** The cache keys of configs, by the names that requests have used. The configs of a view do not change. */
    const known = new Map<string, { readonly config: TenantConfig; readonly key: string }>();

    const find = (name: string): { readonly config: TenantConfig; readonly key: string } | undefined => {
      const config = view.config(name);
      if (config === undefined) return undefined;
      const found = { config, key: `${toScope(tenant, view.version)} ${config.name} ${config.version}` };
      known.set(name, found);
      return found;
    };

    const compileOnce = (
      key: string,
      config: Pick<TenantConfig, 'name' | 'text'>,
    ): CompiledPlan | Promise<CompiledPlan> => {
      const found = cache.get(key) ?? compiling.get(key);
      if (found !== undefined) return found;
      const made = compileSaved(key, config).finally(() => compiling.delete(key));
      compiling.set(key, made);
      return made;
    };

    const saved: TenantChoice['saved'] = (name) => {
      const named = known.get(name) ?? find(name);
      return named === undefined ? undefined : compileOnce(named.key, named.config);
    };

    const { models = {} } = view.saved;
    /** An alias has no version of its own, and no name of a config contains a line break. */
    const toOwnModel = (name: string, target: VirtualTarget): OwnModel => ({
      target,
      plan: () =>
        target.kind === 'config'
          ? saved(target.config)
          : compileOnce(`${toScope(tenant, view.version)}\n${name}`, {
              name,
              text: () => aliasConfig(name, target, view.saved),
            }),
    });

    return {
      saved,
      models: new Map([...readVirtualTargets(models)].map(([name, target]) => [name, toOwnModel(name, target)])),
      names: () => view.configNames(),
      callerPlans: things.callerPlans,
      completed: things.completed,
      defaultConfig: view.defaultConfig,
      nameable: {
        providers: view.saved.providers,
        virtualKeys: view.saved.virtualKeys,
        secrets: (ref) => view.secrets(ref) ?? secrets(ref),
      },
      guard: things.guard,
    };
  };

  const take = (tenant: TenantId, view: TenantView | undefined): TenantChoice | undefined => {
    if (view === undefined) {
      known.delete(tenant);
      return undefined;
    }
    const before = known.get(tenant);
    if (before?.view === view) return before.choice;
    const things = before?.things.version === view.version ? before.things : toSnapshot(tenant, view);
    const choice = toChoice(tenant, view, things);
    if (before === undefined && known.size >= maxTenants) {
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
