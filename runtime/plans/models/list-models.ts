import type { ListedModel, ModelList } from '../../../plugins/sdk/dialect/client-route.ts';
import type { DialectDeclaration } from '../../../plugins/sdk/dialect/dialect.ts';
import { type GatewayResponse, headerValue } from '../../../plugins/sdk/http/http.ts';
import { allowsModel } from '../../../plugins/sdk/models/allows-model.ts';
import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { allowedModels } from '../../engine/target/allowed-models.ts';
import type { HttpExchange } from '../../http/exchange/http-exchange.ts';

const toProvider = ({ from }: Target, { overrides }: HttpExchange): string =>
  'provider' in from ? from.provider : (overrides.provider ?? 'unknown');

/** The models that a target names: that of its config or, where it takes any, those that its saved provider lists. */
const namedBy = (target: Target): readonly string[] => {
  const model = targetModel(target);
  if (model !== undefined) return [model];
  const list = allowedModels(target);
  return list !== undefined && 'only' in list ? list.only : [];
};

interface NamedModels {
  /** Each once, in the plan's order, without those that the caller may not call. */
  readonly models: readonly ListedModel[];
  /** Whether any is named, allowed or not. */
  readonly isNamed: boolean;
}

/** Whether a model of a target is to be listed. */
export type IsWanted = (target: Target, model: string) => boolean;

/** The models named by a plan's reachable targets. */
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
  return { models: [...models.values()], isNamed: reachable.some((target) => namedBy(target).length > 0) };
};

/** Whether a request is of the clients of a list. */
const isOfClient = ({ clientHeader: name, clientMark: mark = '' }: ModelList, { request }: HttpExchange): boolean => {
  const value = name === undefined ? undefined : headerValue(request.headers, name);
  return value?.toLowerCase().includes(mark) === true;
};

/** The form of a list: that of the path's dialect, else that of the clients who send a header, else the first plain one. */
const listFor = (exchange: HttpExchange, dialects: readonly DialectDeclaration[]): ModelList | undefined => {
  const { route } = exchange;
  if (route.dialect !== undefined) return dialects.find(({ id }) => id === route.dialect)?.models;
  const lists = dialects.flatMap(({ models, furtherModels = [] }) => [
    ...(models === undefined ? [] : [models]),
    ...furtherModels,
  ]);
  return (
    lists.find((list) => isOfClient(list, exchange)) ??
    lists.find(({ clientHeader, path }) => clientHeader === undefined && path === undefined)
  );
};

/** The answer with a list, in the client's dialect; `undefined` if that has none. */
export const answerWith = (
  models: readonly ListedModel[],
  exchange: HttpExchange,
  dialects: readonly DialectDeclaration[],
): GatewayResponse | undefined => {
  const list = listFor(exchange, dialects);
  if (list === undefined) return undefined;
  return {
    status: 200,
    headers: ['content-type', 'application/json'],
    origin: 'gateway',
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(list.encode(models))) },
  };
};

export interface ModelListing {
  readonly plan: RoutingPlan;
  /** The virtual models that the caller can name. */
  readonly virtual: readonly ListedModel[];
  readonly dialects: readonly DialectDeclaration[];
  /** Whether a model of the plan is listed; all are if absent. */
  readonly isWanted?: IsWanted;
}

/**
 * The answer to a request for the list of models: virtual models, then the models that the plan can reach, in the client's
 * dialect. `undefined` if there is none and no target names a model, so that only the provider can answer.
 */
export const listModels = (
  exchange: HttpExchange,
  { plan, virtual, dialects, isWanted = () => true }: ModelListing,
): GatewayResponse | undefined => {
  const { models, isNamed } = toModels(plan, exchange, isWanted);
  if (!isNamed && virtual.length === 0) return undefined;
  const names = new Set(virtual.map(({ id }) => id));
  return answerWith([...virtual, ...models.filter(({ id }) => !names.has(id))], exchange, dialects);
};
