import type { ListedModel, ModelList } from '../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../plugins/sdk/dialect/dialect.ts';
import { type GatewayResponse, headerValue } from '../../plugins/sdk/http/http.ts';
import { allowsModel } from '../../plugins/sdk/models/allows-model.ts';
import { selectModels } from '../../plugins/sdk/models/select-models.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import type { Json } from '../../schema/json/json.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { targetModel, targetProvider } from '../../schema/plan/target-model.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { allowedModels } from '../engine/target/allowed-models.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { isModelsRoute } from '../route-matching/declared-routes.ts';

const toProvider = (target: Target, { overrides }: HttpExchange): string =>
  targetProvider(target) ?? overrides.provider ?? 'unknown';

/** Returns the models that a target names: that of its config or, if it takes any, those that its saved provider lists. */
const namedBy = (target: Target): readonly string[] => {
  const model = targetModel(target);
  if (model !== undefined) return [model];
  const list = allowedModels(target);
  return list !== undefined && 'only' in list ? list.only : [];
};

interface NamedModels {
  /** Each once, in the plan's order, without those that the caller may not call. */
  readonly models: readonly ListedModel[];
  /** Whether any model is named, allowed or not. */
  readonly isNamed: boolean;
  /** Whether a target takes any model, so that only its provider may know them. */
  readonly takesAny: boolean;
}

/** Whether a target's model is to be listed. */
export type IsWanted = (target: Target, model: string) => boolean;

/** Returns the models named by a plan's reachable targets. */
const toModels = ({ targets, bounds }: RoutingPlan, exchange: HttpExchange, isWanted: IsWanted): NamedModels => {
  const reachable = targets.filter(({ id }) => bounds.targets.includes(id));
  const models = new Map<string, ListedModel>();
  for (const target of reachable) {
    const list = allowedModels(target);
    const allows = list === undefined ? () => true : allowsModel(list);
    for (const id of namedBy(target))
      if (!models.has(id) && allows(id) && isWanted(target, id))
        models.set(id, { id, provider: toProvider(target, exchange) });
  }
  const named = reachable.filter((target) => namedBy(target).length > 0).length;
  return { models: [...models.values()], isNamed: named > 0, takesAny: named < reachable.length };
};

/** Whether a request comes from the clients that a list is for. A header with a service key is withheld, but was sent. */
const isOfClient = (
  { clientHeader: name, clientMark: mark }: ModelList,
  { request, withheld }: HttpExchange,
): boolean => {
  if (name === undefined) return false;
  const value = headerValue(request.headers, name);
  if (mark === undefined) return value !== undefined || withheld?.includes(name) === true;
  return value?.toLowerCase().includes(mark) === true;
};

/** Whether a list has no pages of its own. If it has, the query of its request selects a part of it. */
const isPlain = ({ clientHeader, path }: ModelList): boolean => clientHeader === undefined && path === undefined;

/**
 * Returns the form of a list: that of the path's dialect, or else of the clients who send a header, or else the first plain one.
 */
export const listForm = (exchange: HttpExchange, dialects: readonly DialectDeclaration[]): ModelList | undefined => {
  const { route } = exchange;
  if (route.dialect !== undefined) return dialects.find(({ id }) => id === route.dialect)?.models;
  const lists = dialects.flatMap(({ models, furtherModels = [] }) => [
    ...(models === undefined ? [] : [models]),
    ...furtherModels,
  ]);
  return lists.find((list) => isOfClient(list, exchange)) ?? lists.find(isPlain);
};

/** Returns the name of the one model that a request asks for. Undefined if it asks for all. */
const askedModel = ({ route }: HttpExchange): string | undefined =>
  isModelsRoute(route) ? route.listedModel : undefined;

/** The longest part of a name that is compared and shown. */
const longestName = 200;

/** Returns the object of one model. Throws the `GatewayError` `unknown-model` if it is not listed. */
const entryOf = (name: string, models: readonly ListedModel[], form: ModelList): Json => {
  const model = models.find(({ id }) => id === name);
  const entries = model && Object.values(form.encode([model])).find((member) => Array.isArray(member));
  const [entry] = entries ?? [];
  if (entry !== undefined) return entry;
  const written = name.slice(0, longestName);
  const suggestion = suggestName(
    written,
    models.map(({ id }) => id),
    "GET /v1/models lists the available models. For a provider's model, also send x-gw-provider or x-gw-config.",
  );
  throw gatewayError('unknown-model', { name: written, suggestion });
};

/**
 * Returns the answer with a list, or with its one model that was asked for. Throws the `GatewayError`s `unknown-model` and
 * `invalid-request`.
 */
export const answerWith = (
  models: readonly ListedModel[],
  exchange: HttpExchange,
  form: ModelList,
): GatewayResponse => {
  const asked = askedModel(exchange);
  const wanted = asked === undefined && isPlain(form) ? selectModels(models, exchange.request.path) : models;
  const body = asked === undefined ? form.encode(wanted) : entryOf(asked, models, form);
  return {
    status: 200,
    headers: ['content-type', 'application/json'],
    origin: 'gateway',
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
  };
};

export interface ModelListing {
  readonly plan: RoutingPlan;
  /** The virtual models that the caller can name. */
  readonly virtual: readonly ListedModel[];
  readonly dialects: readonly DialectDeclaration[];
  /** Whether a model of the plan is listed. If absent, all are. */
  readonly isWanted?: IsWanted;
}

/**
 * Returns the answer to a request for the list of models, or for one of them: virtual models, then the models that the plan can
 * reach, in the client's dialect. `undefined` if only the provider can answer: if there are no models and no target names any, or
 * if the requested model is not listed and a target takes any. Throws the `GatewayError` `unknown-model`.
 */
export const listModels = (
  exchange: HttpExchange,
  { plan, virtual, dialects, isWanted = () => true }: ModelListing,
): GatewayResponse | undefined => {
  const { models, isNamed, takesAny } = toModels(plan, exchange, isWanted);
  if (!isNamed && virtual.length === 0) return undefined;
  const names = new Set(virtual.map(({ id }) => id));
  const all = [...virtual, ...models.filter(({ id }) => !names.has(id))];
  const asked = askedModel(exchange);
  const isElsewhere = asked !== undefined && takesAny && !all.some(({ id }) => id === asked);
  const form = isElsewhere ? undefined : listForm(exchange, dialects);
  return form && answerWith(all, exchange, form);
};
