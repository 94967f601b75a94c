import { describe, expect, it } from 'vitest';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../../plugins/sdk/route/define-route.ts';
import { routeRowErrors } from '../../../../plugins/sdk/route/route-row-error.ts';
import { createClients, createInnerClients } from '../../../../runtime/http/exchange/clients.ts';
import { reservedHeaders } from '../../../../runtime/http/headers/reserved-headers.ts';

const route = (headers: readonly string[]) =>
  defineRoute({
    method: 'GET',
    path: '/tickets',
    operationId: 'list_tickets',
    summary: 'Lists tickets.',
    scope: null,
    headers: { type: 'object', properties: Object.fromEntries(headers.map((name) => [name, { type: 'string' }])) },
    replies: { 200: { type: 'object' } },
    handle: () => ({ status: 200, body: {} }),
  });

const acme = definePlugin({ name: 'acme', routes: [route(['x-gw-acme-desk'])] });
const problemAt = (clients: ReturnType<typeof createClients>, name: string): string | undefined =>
  clients.readHeaders([name, 'x']).problem?.report.message;

describe("a header with the gateway's prefix", () => {
  it('is known if a route of a plugin declares it', () => {
    expect(problemAt(createClients([acme]), 'X-Gw-Acme-Desk')).toBeUndefined();
    expect(problemAt(createClients([]), 'X-Gw-Acme-Desk')).toContain('x-gw-acme-desk is not valid: there is no such');
    expect(problemAt(createClients([acme]), 'x-gw-acme-dsek')).toContain('Did you mean x-gw-acme-desk?');
  });

  it.each(reservedHeaders)('is known although nothing reads it: %s', (name) => {
    expect(problemAt(createClients([]), name)).toBeUndefined();
  });

  it.each(['x-gw-cloudc-s3-bucket', 'x-gw-cloudb-storage-bucket-name', 'x-gw-amzn-sagemaker-model-name'])(
    'is rejected if nothing reads it: %s',
    (name) => {
      expect(problemAt(createClients([]), name)).toContain(`${name} is not valid: there is no such`);
    },
  );

  it('is not checked if unknown headers are ignored, or if it comes from a plugin', () => {
    for (const clients of [createClients([acme], { unknownHeaders: 'ignore' }), createInnerClients([acme])])
      expect(problemAt(clients, 'x-gw-nothing')).toBeUndefined();
  });

  it('is shown shortened if it is very long', () => {
    const message = problemAt(createClients([]), `x-gw-${'long'.repeat(5000)}`) ?? '';
    expect(message).toContain('x-gw-longlong');
    expect(message.length).toBeLessThan(200);
  });

  it('is the only kind of header that is checked', () => {
    for (const name of ['x-gww-config', 'x-g', 'gw-config', 'xx-gw-config'])
      expect(problemAt(createClients([]), name)).toBeUndefined();
  });

  it('must be declared in lower case', () => {
    for (const headers of [['X-Gw-Acme'], ['x-gw-a b']])
      expect(routeRowErrors(route(headers)).join()).toContain('headers has a name');
  });
});
