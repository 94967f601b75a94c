import type { ListedModel } from '../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import { type Capability, capabilities, readCapabilities } from '../../schema/model-facts/capability.ts';
import type { ModelFacts } from '../../schema/model-facts/model-facts.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../schema/plan/target-model.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { slugModel } from '../../schema/text/slug-model.ts';
import type { LinkedPlan } from '../engine/link.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { FindInProvider, KnownModels } from '../ports/known-models.ts';
import type { OwnModels } from '../tenant-plans/virtual-models.ts';
import type { withAllowedList } from './allowed-list.ts';
import type { listModels } from './list-models.ts';

/** A request for the models that are known to have certain capabilities. */
export interface AbleModels {
  /** Returns the plan that answers it, with these virtual models first. */
  plan(linked: LinkedPlan, virtual: readonly ListedModel[]): Promise<LinkedPlan>;
  /** Filters the virtual models, some of which a tenant may have saved. */
  virtual(models: readonly ListedModel[], ownModels: OwnModels | undefined): Promise<readonly ListedModel[]>;
  /** Filters the models of saved providers, `@slug/model`. */
  saved(models: readonly ListedModel[]): Promise<readonly ListedModel[]>;
}

interface AbleModelsOptions {
  /** The list functions that a gateway has loaded. In its own file, this would be one more for a start to load. */
  readonly lists: { readonly listModels: typeof listModels; readonly withAllowedList: typeof withAllowedList };
  readonly dialects: readonly DialectDeclaration[];
  readonly catalogue: () => Promise<KnownModels>;
}

/** A longer text is not a name, and is not shown whole. */
const longestName = 64;

/** Removes the member from the query, because it is only for the gateway. Throws the `GatewayError` `unknown-capability`. */
const takeWanted = ({ request }: HttpExchange): readonly Capability[] => {
  const [path = '', search = ''] = request.path.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const { wanted, unknown } = readCapabilities(query.getAll('capabilities').join());
  if (unknown !== undefined) {
    const name = unknown.slice(0, longestName);
    const suggestion = suggestName(name, capabilities, `The capabilities are ${capabilities.join(', ')}.`);
    throw gatewayError('unknown-capability', { name, suggestion });
  }
  query.delete('capabilities');
  request.path = query.size === 0 ? path : `${path}?${query}`;
  return wanted;
};

/**
 * Returns the models that a request selects by capability, `?capabilities=tools,vision`: those whose facts state all of them.
 * Models without known facts are omitted. A virtual model is listed if each model that it may call is one of them. Throws the
 * `GatewayError` `unknown-capability`.
 */
export const ableModels = (exchange: HttpExchange, { lists, dialects, catalogue }: AbleModelsOptions): AbleModels => {
  const wanted = takeWanted(exchange);
  /** Loads each provider once, because the catalogue checks its file every time. */
  const load = async (providers: Iterable<string>): Promise<ReadonlyMap<string, FindInProvider>> => {
    const known = await catalogue();
    return new Map(
      await Promise.all(Array.from(new Set(providers), async (id) => [id, await known.ofProvider(id)] as const)),
    );
  };
  const isAble = (facts: ModelFacts | undefined): boolean =>
    wanted.every((capability) => facts?.capabilities.includes(capability) === true);
  const providerOf = (target: Target): string | undefined => targetProvider(target) ?? exchange.overrides.provider;
  const loadAble = async (targets: readonly Target[]): Promise<(target: Target, model: string) => boolean> => {
    const finders = await load(targets.flatMap((target) => providerOf(target) ?? []));
    return (target, model) => {
      const provider = providerOf(target);
      const slug = target.from.kind === 'saved' ? target.from.slug : undefined;
      return provider !== undefined && isAble(finders.get(provider)?.(model, slug));
    };
  };
  const virtualPlan = async (name: string, ownModels: OwnModels | undefined): Promise<RoutingPlan | undefined> => {
    const own = ownModels?.get(name);
    const found = own === undefined ? exchange.generationRef?.generation.models.get(name)?.served : await own.plan();
    return found !== undefined && 'linked' in found ? found.linked.plan : undefined;
  };
  return {
    async virtual(models, ownModels) {
      const plans = await Promise.all(models.map(({ id }) => virtualPlan(id, ownModels)));
      const asked = plans.map((plan) => plan?.targets.filter(({ id }) => plan.bounds.targets.includes(id)) ?? []);
      const isAbleAt = await loadAble(asked.flat());
      const isAsked = (target: Target): boolean => {
        const model = targetModel(target);
        return model !== undefined && isAbleAt(target, model);
      };
      return models.filter((_, at) => asked[at]?.length !== 0 && asked[at]?.every(isAsked) === true);
    },
    async plan(linked, virtual) {
      const { targets } = linked.plan;
      const isAbleAt = await loadAble(targets);
      const listed = lists.listModels(exchange, { plan: linked.plan, virtual, dialects, isWanted: isAbleAt });
      return listed === undefined
        ? lists.withAllowedList(linked, exchange, (model) => targets.some((target) => isAbleAt(target, model)))
        : { ...linked, execute: async () => listed };
    },
    async saved(models) {
      const finders = await load(models.map(({ provider }) => provider));
      return models.filter(({ id, provider }) => {
        const named = slugModel(id);
        return isAble(finders.get(provider)?.(named?.model ?? id, named?.slug));
      });
    },
  };
};
