import type { JsonObject } from '../../../schema/json/json.ts';
import type { Facts } from '../../../schema/plan/condition.ts';
import type { CallerOverrides, Exchange, Operation, Route, TenantId } from '../../sdk/exchange/exchange.ts';
import type { Cancellation, RawHeaders } from '../../sdk/http/http.ts';
import { neverCancelled } from './cancellation.ts';

/** The parts of a test's request. Everything else has a simple default. */
export interface TestRequest {
  readonly operation?: Operation;
  readonly dialect?: string;
  /** The model, streaming and framing that the path specifies. */
  readonly asked?: Pick<Route, 'model' | 'stream' | 'framing'>;
  readonly method?: string;
  /** The path after the gateway's `/v1`. */
  readonly path: string;
  readonly headers?: RawHeaders;
  readonly body?: JsonObject;
  readonly metadata?: JsonObject;
  /** The name of the config that the virtual model of the request stands for. If absent, the request names none. */
  readonly planModel?: string | undefined;
  readonly overrides?: CallerOverrides;
  readonly secrets?: readonly string[];
  readonly seed?: number;
  readonly cancellation?: Cancellation;
  /** The tenant of the request. Tests that name none share one. */
  readonly tenant?: string;
}

/** The only place where a `TenantId` is created without a service key. */
const toTenant = ({ tenant = 'test' }: TestRequest): TenantId => tenant as TenantId;

/** Creates an exchange as the gateway would for a client's request. */
export const createTestExchange = (request: TestRequest): Exchange => {
  const { dialect, operation = dialect === undefined ? 'opaque' : 'converse', body } = request;
  const params = body ?? {};
  const { planModel } = request;
  const facts: Facts = {
    metadata: request.metadata ?? {},
    params,
    plan: planModel === undefined ? undefined : { model: planModel },
    url: { pathname: `/v1${request.path.split('?', 1)[0]}` },
  };
  return {
    traceId: 'test-trace',
    principal: { tenant: toTenant(request) },
    route: { operation, ...(dialect !== undefined && { dialect }), ...request.asked },
    request: {
      method: request.method ?? (body === undefined ? 'GET' : 'POST'),
      path: request.path,
      headers: request.headers ?? ['content-type', 'application/json'],
      body: body === undefined ? { kind: 'none' } : { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    },
    overrides: request.overrides ?? {},
    facts,
    json: () => params,
    secrets: request.secrets ?? [],
    seed: request.seed ?? 1,
    trail: [],
    cancellation: request.cancellation ?? neverCancelled,
  };
};
