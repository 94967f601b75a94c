import type { Dialect, ListedModel } from '../../plugins/sdk/dialect.ts';
import { type GatewayResponse, headerValue } from '../../plugins/sdk/http.ts';
import type { RoutingPlan, Target } from '../../schema/plan.ts';
import type { HttpExchange } from './http-exchange.ts';

/** The dialects whose clients list models, those recognised by a header first. */
const modelDialects = ['messages', 'chat'] as const;

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

/**
 * The answer to `GET /models`: the models that the plan can reach, in the client's dialect. `undefined` if no target
 * names a model, so that only the provider can answer.
 */
export const listModels = (
  exchange: HttpExchange,
  plan: RoutingPlan,
  dialect: (id: string) => Dialect | undefined,
): GatewayResponse | undefined => {
  const models = modelsOf(plan, exchange);
  if (models.length === 0) return undefined;
  const list = modelDialects
    .map((id) => dialect(id)?.models)
    .find((known) => {
      if (known === undefined) return false;
      const { clientHeader } = known;
      return clientHeader === undefined || headerValue(exchange.request.headers, clientHeader) !== undefined;
    });
  if (list === undefined) return undefined;
  return {
    status: 200,
    headers: ['content-type', 'application/json'],
    origin: 'gateway',
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(list.encode(models))) },
  };
};
