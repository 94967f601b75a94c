import { GatewayError } from '../../schema/errors/errors.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import type { LeafNode } from '../../schema/plan/plan.ts';
import { toError } from '../../schema/text/error-text.ts';
import type { Exchange } from '../sdk/exchange/exchange.ts';
import type { Hooks } from '../sdk/hooks/hooks.ts';
import type { GatewayResponse } from '../sdk/http/http.ts';
import type { Plugin } from '../sdk/plugin/plugin.ts';
import { applyPlugin } from './apply-plugin.ts';
import { refuseErrors } from './errors/reasons.ts';
import { createTestExchange, type TestRequest } from './route/test-exchange.ts';

/** A request, and how the policy should decide. */
export interface PolicyRequest extends Partial<TestRequest> {
  /** The leaf; without stages if absent. */
  readonly leaf?: Partial<LeafNode>;
  /** `admitted`, or the status of a refusal. */
  readonly verdict: 'admitted' | number;
}

/** Options, and the requests that the policy receives, in order. */
export interface PolicyCase {
  readonly options?: JsonObject;
  readonly requests: readonly PolicyRequest[];
}

const anyLeaf: LeafNode = {
  kind: 'leaf',
  path: rootPointer,
  hash: 'sha256:test',
  target: 0,
  stages: [],
  needs: { request: 'pass', answer: 'pass', because: [] },
};

const refusalErrors = ({ status, origin, headers, body }: GatewayResponse): readonly string[] => [
  ...(Number.isInteger(status) && status >= 400 && status <= 599
    ? []
    : [`its status ${status} is not that of an error`]),
  ...(origin === 'limit' ? [] : [`its origin is "${origin}", not "limit", so that it may be retried`]),
  ...(headers.length % 2 === 0 ? [] : ['its headers are not pairs of names and values']),
  ...(body.kind === 'bytes' && body.bytes.length === 0 ? ['its body is empty'] : []),
];

interface Said {
  readonly verdict: 'admitted' | number;
  readonly errors: readonly string[];
}

/** If a policy throws a `GatewayError`, that is the answer. Any other error is a failure of the policy itself. */
const ask = async (hooks: Hooks, leaf: LeafNode, exchange: Exchange): Promise<Said> => {
  try {
    const early = await hooks.beforeRoute.promise(exchange);
    const answer = early ?? (await hooks.admit.promise(leaf, exchange));
    if (answer === undefined) return { verdict: 'admitted', errors: [] };
    return { verdict: answer.status, errors: refusalErrors(answer) };
  } catch (error) {
    if (error instanceof GatewayError) return { verdict: error.report.status, errors: [] };
    return { verdict: 500, errors: [`it throws: ${toError(error).message}`] };
  }
};

const caseErrors = async (plugin: Plugin, { options = {}, requests }: PolicyCase): Promise<readonly string[]> => {
  const hooks = applyPlugin(plugin, options);
  const reasons: string[] = [];
  for (const [at, { leaf, verdict, ...request }] of requests.entries()) {
    const exchange = createTestExchange({ path: '/chat/completions', dialect: 'chat', body: {}, ...request });
    const said = await ask(hooks, { ...anyLeaf, ...leaf }, exchange);
    const name = `request ${at + 1} with the options ${JSON.stringify(options)}`;
    if (said.verdict !== verdict) reasons.push(`${name}: expected ${verdict}, got ${said.verdict}`);
    reasons.push(...said.errors.map((error) => `${name}: ${error}`));
  }
  await hooks.close.promise();
  return reasons;
};

/**
 * Tests a policy: a plugin that taps `admit` or `beforeRoute`. The plugin is applied anew for each case. Throws a `ContractError`
 * that lists every error.
 */
export const testPolicy = async (plugin: Plugin, cases: readonly PolicyCase[]): Promise<void> => {
  const reasons: string[] = [];
  const { admit, beforeRoute } = applyPlugin(plugin, cases[0]?.options);
  if (!admit.isUsed() && !beforeRoute.isUsed()) reasons.push('it taps neither "admit" nor "beforeRoute"');
  for (const each of cases) reasons.push(...(await caseErrors(plugin, each)));
  refuseErrors(`The policy "${plugin.name}"`, reasons);
};
