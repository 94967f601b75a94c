import type { ListedModel } from '../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { callsNoModel } from '../../plugins/sdk/models/calls-no-model.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { refuseHost } from '../engine/target/refuse-host.ts';
import type { ServedPlan } from '../file-plans/served-plan.ts';
import type { ChoosePlan } from '../http/accept/acceptance.ts';
import { receiveForPlan, receiveReadable } from '../http/body/receive-for-plan.ts';
import { isPassedForm, receiveForm } from '../http/body/receive-form.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { FormBounds } from '../http/forms/receive-sendable-form.ts';
import { misspeltHeader } from '../http/headers/misspelt-header.ts';
import type { ModelCatalogue } from '../model-catalogue/create-model-catalogue.ts';
import type { AbleModels } from '../model-list/able-models.ts';
import { withAllowedList } from '../model-list/allowed-list.ts';
import { answerWith, listForm, listModels } from '../model-list/list-models.ts';
import type { Upstreams } from '../ports/upstreams.ts';
import { isModelsRoute } from '../route-matching/declared-routes.ts';
import type { RefusedPlan } from '../tenant-plans/plan-cache.ts';
import type { NameableProviders, SavedModels } from '../tenant-plans/saved-models.ts';
import type { TenantChoice, TenantPlans } from '../tenant-plans/tenant-plans.ts';
import { isPlanNamed, listVirtualModels } from '../tenant-plans/virtual-models.ts';
import { choosePlan, type PlanChoice } from './choose-plan.ts';
import { type Chosen, isProviderOpen, whenChosen } from './choose-plan-by-model.ts';
import type { KnownProviders } from './provider-of-model.ts';
import { refusedConfig } from './refused-config.ts';

export interface PlanChooserOptions extends Omit<PlanChoice, 'receive' | 'knownProviders'>, FormBounds {
  readonly upstreams: Pick<Upstreams, 'findHostError'>;
  /** Everything that tenants have saved. Absent without a control plane. */
  readonly tenants?: TenantPlans;
  readonly dialects: readonly DialectDeclaration[];
  /** Finds a provider by its id or an alias. */
  readonly provider: KnownProviders['find'];
  /** The models of saved providers, including those that the gateway file saves. */
  readonly savedModels: SavedModels;
  readonly fileProviders: NameableProviders;
  /** The facts of models. */
  readonly modelCatalogue: () => Promise<ModelCatalogue>;
  /** Whether limits need the models that passed-through requests name. Default: false. */
  readonly readsModels?: boolean;
  /** Whether limits need the models that forms of this caller name. Default: never. */
  readonly readsForms?: (principal: Principal) => boolean;
}

const noModels: readonly ListedModel[] = [];

/** A request for a list of models. */
interface AskedList {
  /** The virtual models, which come first. */
  readonly virtual: readonly ListedModel[];
  /** Absent if the request does not filter by capability. */
  readonly able?: AbleModels | undefined;
}

/** Receives a form that may name a virtual model or a saved provider, wherever in the form the name is. */
const receiveNamingForm = async (exchange: HttpExchange, bounds: FormBounds): Promise<void> => {
  const { receiveSendableForm } = await import('../http/forms/receive-sendable-form.ts');
  await receiveSendableForm(exchange, bounds);
};

const nothingAsked: AskedList = { virtual: noModels };

/**
 * Returns a function that finds the plan of an admitted request, and sets it in the exchange. A request for the list of models is
 * answered from the plan if its targets name any. A passed-through body is buffered if the plan reads or edits it. Throws, or
 * rejects with, the `GatewayError` that says why there is no plan.
 */
export const planChooser = (
  options: PlanChooserOptions,
): ((exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>) => {
  const { upstreams } = options;
  const receive = (exchange: HttpExchange): Promise<void> | undefined =>
    isPassedForm(exchange) && !callsNoModel(exchange.request)
      ? receiveNamingForm(exchange, options)
      : receiveReadable(exchange, options);
  const knownProviders = ({ providers = {}, virtualKeys = {} }: NameableProviders): KnownProviders => ({
    find: options.provider,
    saved: providers,
    virtualKeys,
  });
  const choice: PlanChoice = { ...options, receive, knownProviders: () => knownProviders(options.fileProviders) };
  const choices = new WeakMap<TenantChoice, PlanChoice>();

  /** Collects the plans that a request can choose from, with those that its tenant has saved. */
  const toChoice = (own: TenantChoice | undefined): PlanChoice => {
    if (own === undefined) return choice;
    const { callerPlans, completed, defaultConfig, models: ownModels } = own;
    const made = choices.get(own) ?? {
      ...choice,
      callerPlans,
      completed,
      own,
      ownModels,
      knownProviders: () => knownProviders(own.nameable),
      ...(defaultConfig === undefined ? {} : { defaultConfig }),
    };
    choices.set(own, made);
    return made;
  };

  /** Returns the plan of a request, with the default guardrails of its tenant. */
  const chooseFor = (exchange: HttpExchange, own: TenantChoice | undefined): Chosen => {
    const chosen = choosePlan(exchange, toChoice(own));
    return own?.guard === undefined ? chosen : whenChosen(chosen, own.guard);
  };

  const choose = (exchange: HttpExchange): Chosen => {
    const own = options.tenants?.of(exchange.principal.tenant);
    return own instanceof Promise ? own.then((found) => chooseFor(exchange, found)) : chooseFor(exchange, own);
  };

  const take = (
    exchange: HttpExchange,
    chosen: ServedPlan | RefusedPlan,
    { virtual, able }: AskedList = nothingAsked,
  ): LinkedPlan | Promise<LinkedPlan> => {
    if (!('linked' in chosen)) throw refusedConfig(exchange, chosen);
    exchange.plan = chosen;
    exchange.secrets = chosen.secrets;
    const { linked } = chosen;
    if (able !== undefined) return able.plan(linked, virtual);
    const { route } = exchange;
    const isList = isModelsRoute(route);
    const listed = isList
      ? listModels(exchange, { plan: linked.plan, virtual, dialects: options.dialects })
      : undefined;
    if (listed !== undefined) return { ...linked, execute: async () => listed };
    const used = isList && route.listedModel === undefined ? withAllowedList(linked, exchange) : linked;
    const { connection, principal } = exchange;
    const { readsModels = false } = options;
    const readsForms = chosen.listsModels || options.readsForms?.(principal) === true;
    const isRead = isPassedForm(exchange) && readsForms && !callsNoModel(exchange.request);
    const form = isRead ? receiveForm(exchange, options) : undefined;
    const reading =
      form !== undefined || connection === undefined
        ? form
        : receiveForPlan(exchange, connection, {
            plan: chosen,
            bounds: options,
            readsModels: readsModels || chosen.listsModels,
          });
    return reading === undefined ? used : reading.then(() => used);
  };

  /** Returns the models of the saved providers that a request without a provider can name. */
  const nameableModels = async ({ principal }: HttpExchange): Promise<readonly ListedModel[]> => {
    const own = await options.tenants?.of(principal.tenant);
    return options.savedModels(own?.nameable ?? options.fileProviders);
  };

  /**
   * Returns the plan for a list of models if nothing names a provider: virtual models, and what can be named as `@slug/model`.
   * Undefined if no form fits.
   */
  const savedList = (exchange: HttpExchange, { virtual, able }: AskedList): LinkedPlan | undefined => {
    const form = listForm(exchange, options.dialects);
    if (form === undefined) return undefined;
    const execute = async () => {
      const models = await nameableModels(exchange);
      const listed = (await able?.saved(models)) ?? models;
      return answerWith([...virtual, ...listed], exchange, form);
    };
    return { ...options.requestPlan.linked, execute };
  };

  /** Returns that plan if a missing provider is why there is no other. Rethrows all other errors. */
  const withoutPlan = (exchange: HttpExchange, error: unknown, asked: AskedList): LinkedPlan => {
    const isOpen =
      error instanceof GatewayError &&
      error.report.code === 'missing-provider' &&
      misspeltHeader(exchange.request.headers) === undefined;
    const list = isOpen ? savedList(exchange, asked) : undefined;
    if (list === undefined) throw error;
    return list;
  };

  const takeList = (
    exchange: HttpExchange,
    chosen: ServedPlan | RefusedPlan,
    asked: AskedList,
  ): LinkedPlan | Promise<LinkedPlan> => {
    const list = isProviderOpen(chosen, exchange) ? savedList(exchange, asked) : undefined;
    if (list === undefined || !('linked' in chosen)) return take(exchange, chosen, asked);
    exchange.plan = chosen;
    return list;
  };

  /** Returns the plan for a list of models, which has an answer even without a provider. */
  const listWith = (
    exchange: HttpExchange,
    own: TenantChoice | undefined,
    asked: AskedList,
  ): LinkedPlan | Promise<LinkedPlan> => {
    const otherwise = (error: unknown): LinkedPlan => withoutPlan(exchange, error, asked);
    try {
      const plan = chooseFor(exchange, own);
      return plan instanceof Promise
        ? plan.then((chosen) => takeList(exchange, chosen, asked), otherwise)
        : takeList(exchange, plan, asked);
    } catch (error) {
      return otherwise(error);
    }
  };

  const listFor = (exchange: HttpExchange): LinkedPlan | Promise<LinkedPlan> => {
    const own = options.tenants?.of(exchange.principal.tenant);
    const list = (found: TenantChoice | undefined): LinkedPlan | Promise<LinkedPlan> =>
      listWith(exchange, found, { virtual: listVirtualModels(exchange, found?.models) });
    return own instanceof Promise ? own.then(list) : list(own);
  };

  /** Does the same for the models with the capabilities in the query. */
  const listAble = async (exchange: HttpExchange): Promise<LinkedPlan> => {
    const { ableModels } = await import('../model-list/able-models.ts');
    const { dialects, modelCatalogue: catalogue } = options;
    const lists = { listModels, withAllowedList };
    const able = ableModels(exchange, { lists, dialects, catalogue });
    const own = await options.tenants?.of(exchange.principal.tenant);
    const virtual = await able.virtual(listVirtualModels(exchange, own?.models), own?.models);
    return listWith(exchange, own, { virtual, able });
  };

  return (exchange) => {
    const { customHost } = exchange.overrides;
    if (customHost !== undefined) refuseHost(upstreams, 'x-gw-custom-host', customHost);
    const { route, request } = exchange;
    if (isModelsRoute(route))
      return route.listedModel === undefined && /[?&]capabilities=[^&]/.test(request.path)
        ? listAble(exchange)
        : listFor(exchange);
    const plan = choose(exchange);
    return plan instanceof Promise ? plan.then((chosen) => take(exchange, chosen)) : take(exchange, plan);
  };
};

/**
 * Rejects if a request whose body has not been received has no plan, whatever its body is. Resolves if it has one, or if its body may
 * name one.
 */
export const checkNamedPlan = async (exchange: HttpExchange, choose: ChoosePlan): Promise<void> => {
  if (isPlanNamed(exchange)) await choose(exchange);
};
