import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { operations } from '../../plugins/sdk/exchange/operations.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { targetProvider } from '../../schema/plan/target-model.ts';
import { paramEdits } from '../engine/call/param-edits.ts';
import { askedModel, asksForStream } from '../engine/call/requested-model-and-stream.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';

/** Reads what a request asks for after the target's edits. Undefined for a body that cannot be read. */
const readable = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const findEdits = (target: Target | undefined): JsonObject | undefined =>
  target === undefined ? undefined : paramEdits(target);

/** Returns the dialect in which a target is called. */
export const spokenTo = (
  target: Target | undefined,
  exchange: HttpExchange,
  catalogue: Catalogue,
): Dialect | undefined => {
  const { route, overrides } = exchange;
  const id = (target && targetProvider(target)) ?? overrides.provider;
  const provider = catalogue.providers.get(id ?? '');
  if (provider === undefined || route.dialect === undefined) return undefined;
  const model = readable(() => askedModel({ exchange }, findEdits(target)));
  const spoken = readable(() => provider.dialectsOf?.(model, target?.settings ?? {})) ?? Object.keys(provider.speaks);
  if (spoken.includes(route.dialect)) return catalogue.dialects.get(route.dialect);
  return spoken.map((name) => catalogue.dialects.get(name)).find((dialect) => dialect?.conversation !== undefined);
};

/** Whether a request is to be answered with a stream. */
export const asksToStream = (target: Target | undefined, exchange: HttpExchange): boolean =>
  operations[exchange.route.operation].mayStream &&
  readable(() => asksForStream({ exchange }, findEdits(target))) === true;
