import type { DialectDeclaration, ListedModel, ModelList } from '../../plugins/sdk/dialect.ts';
import { type GatewayResponse, headerValue } from '../../plugins/sdk/http.ts';
import type { RoutingPlan, Target } from '../../schema/plan.ts';
import type { HttpExchange } from './http-exchange.ts';

const providerOf = ({ from }: Target, { overrides }: HttpExchange): string =>
  'provider' in from ? from.provider : (overrides.provider ?? 'unknown');

/** The models named by a plan's reachable targets, each once, in the plan's order. */
const modelsOf = ({ targets, bounds }: RoutingPlan, exchange: HttpExchange): readonly ListedModel[] => {
  const models = new Map<string, ListedModel>();
  for (const target of targets) {
    const { model: id = target.model } = target.params.override;
    if (typeof id !== 'string' || models.has(id) || !bounds.targets.includes(target.id)) continue;
    models.set(id, { id, provider: providerOf(target, exchange) });
  }
  return [...models.values()];
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

const answerWith = (
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

/**
 * The answer to a request for the list of models: the models that the plan can reach, in the client's dialect. `undefined` if no target
 * names a model, so that only the provider can answer.
 */
export const listModels = (
  exchange: HttpExchange,
  plan: RoutingPlan,
  dialects: readonly DialectDeclaration[],
): GatewayResponse | undefined => {
  const models = modelsOf(plan, exchange);
  return models.length === 0 ? undefined : answerWith(models, exchange, dialects);
};

/** The answer where nothing names a provider that could be asked: no model. */
export const emptyModels = (
  exchange: HttpExchange,
  dialects: readonly DialectDeclaration[],
): GatewayResponse | undefined => answerWith([], exchange, dialects);
