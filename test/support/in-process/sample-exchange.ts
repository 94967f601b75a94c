import type { Exchange, TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/** Returns a tenant by its name. */
export const toTenant = (name: string): TenantId => name as TenantId;

/** A client that stays connected. */
const staying: Cancellation = { cancelled: false, onCancel: () => () => {} };

/** Creates a chat request with this body, and with the other given members. */
export const sampleExchange = (params: JsonObject = {}, given: Partial<Exchange> = {}): Exchange => ({
  traceId: 'trace',
  principal: { tenant: toTenant('tenant') },
  route: { operation: 'converse', dialect: 'chat' },
  request: {
    method: 'POST',
    path: '/chat/completions',
    headers: [],
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(params)) },
  },
  overrides: {},
  facts: { metadata: {}, params, url: { pathname: '/v1/chat/completions' } },
  json: () => params,
  secrets: [],
  seed: 1,
  trail: [],
  cancellation: staying,
  ...given,
});
