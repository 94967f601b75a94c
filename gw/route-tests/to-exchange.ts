import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { Principal } from '../../plugins/sdk/exchange/exchange.ts';
import { base } from '../../plugins/sdk/route/route-path.ts';
import { plainRequest } from '../../plugins/testkit/route/plain-request.ts';
import type { HttpExchange } from '../../runtime/http/exchange/http-exchange.ts';
import { type ReplayedBy, replayExchange } from '../../runtime/simulation/replay-exchange.ts';
import type { RouteTestCaller, RouteTestRequest } from '../../schema/generated/route-test-file.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { RouteProblem } from './route-problem.ts';

const toPrincipal = (sole: Principal, { user, metadata }: RouteTestCaller): Principal => ({
  ...sole,
  ...(user === undefined ? {} : { userId: user }),
  ...(metadata === undefined ? {} : { defaults: { metadata } }),
});

/** Returns the dialect of clients that a test names. */
const findDialect = (operation: string, dialects: ReadonlyMap<string, Dialect>): Dialect => {
  const found = dialects.get(operation);
  if (found?.routes !== undefined) return found;
  const known = [...dialects.values()].filter(({ routes }) => routes !== undefined).map(({ id }) => id);
  throw new RouteProblem(
    `No client speaks "${operation}".`,
    suggestName(operation, known, `Operations are ${known.join(', ')}.`),
  );
};

interface Sent {
  readonly path: string;
  readonly body: JsonObject;
}

/** Returns the path and the body of a request. Its own path is that of a dialect, if one has it. */
const toSent = (
  { operation, path, params }: RouteTestRequest,
  { dialects, clients }: Pick<ReplayedBy, 'dialects' | 'clients'>,
): Sent => {
  if (path === undefined) {
    const plain = plainRequest(findDialect(operation ?? 'chat', dialects), params);
    return { path: `${base}${plain.path}`, body: plain.body };
  }
  const dialect = clients.match('POST', path)?.route.dialect ?? operation;
  return { path, body: plainRequest(dialects.get(dialect ?? ''), params).body };
};

/**
 * Builds the request of a test as the server would see it. Throws a `RouteProblem`, or a `GatewayError` for a request that it
 * rejects.
 */
export const toExchange = (given: RouteTestRequest, by: ReplayedBy): HttpExchange => {
  const { metadata = {}, headers = {}, virtual_model: planModel, caller = {} } = given;
  const { path, body } = toSent(given, by);
  const exchange = replayExchange(
    {
      ...{ method: 'POST', path, headers, metadata, body, seed: 1, upstream: [] },
      ...(planModel === undefined ? {} : { planModel }),
    },
    by,
  );
  exchange.principal = toPrincipal(exchange.principal, caller);
  return exchange;
};
