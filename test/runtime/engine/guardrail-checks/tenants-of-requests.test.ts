import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { defineGuardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/sdk/time/cancellation.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { CheckCancellation } from '../../../../runtime/engine/guardrail-checks/check-cancellation.ts';
import { checkHttp } from '../../../../runtime/engine/guardrail-checks/check-http.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { createUpstreams } from '../../../../runtime/upstream/upstreams.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { flaggedWord } from '../../../support/partners/partner-stub.ts';
import { partnerStubs } from '../../../support/partners/partner-stubs.ts';
import { startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';
import 'jose';

const url = 'https://service.test/at';
const tenant = toTenant('mine');

/** The gateway's own checks that call a service, with parameters for each service that they can call. */
const services: readonly (readonly [id: string, parameters: JsonObject])[] = [
  ['default.webhook', { webhookURL: url }],
  ['default.log', { logURL: url }],
  ['default.jwt', { jwksUri: url }],
  ['default.jwt', { introspectEndpoint: url }],
  ['default.validUrls', {}],
  ['default.validUrls', { onlyDNS: true, resolverURL: url }],
  ['default.inlineImageUrls', { providers: ['google'] }],
];

/** A check of a third-party plugin, which passes on the cancellation that it gets. */
const foreign = defineGuardrail({
  id: 'foreign.asks',
  parameters: { type: 'object', properties: {} },
  create:
    (_own, { http }) =>
    async ({ cancellation }) => ({ pass: (await http.send({ url, cancellation })).status === 200, data: {} }),
});

const partners = partnerStubs.flatMap(({ checks }) => checks.map(({ id, parameters }) => [id, parameters] as const));

const content = [
  { type: 'text', text: `Look at https://page.test/a and ${flaggedWord}.` },
  { type: 'image_url', image_url: { url: 'https://page.test/a.png' } },
];
/** Some checks judge only tool calls. */
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const head = Buffer.from('{"alg":"RS256","kid":"k"}').toString('base64url');

const toPhases = (id: string): readonly ('input' | 'output')[] =>
  builtinPlugins.flatMap(({ guardrails = [] }) => guardrails).find((each) => each.id === id)?.phases ?? ['input'];

describe('a request of a check', () => {
  it.each([...partners, ...services, ['foreign.asks', {}] as const])(
    'belongs to the tenant whose request is judged: %s %o',
    async (id, parameters) => {
      const [phase] = toPhases(id);
      const hook = { id: 'h', type: 'guardrail', checks: [{ id, parameters }] };
      const seen: (string | undefined)[] = [];
      const { handle, secrets } = runConfig(
        {
          // The provider that does not fetch images itself.
          provider: 'google',
          api_key: 'sk-callers',
          [phase === 'output' ? 'after_request_hooks' : 'before_request_hooks']: [hook],
        },
        {
          plugins: [definePlugin({ name: 'foreign', guardrails: [foreign] })],
          trust: 'caller',
          upstream: ({ origin }, scope) => {
            if (origin === 'https://generativelanguage.googleapis.com')
              return stubAnswer({ candidates: [{ content: { parts: [{ text: 'See https://page.test/b.' }] } }] });
            seen.push(scope.tenant);
            return stubAnswer({});
          },
        },
      );
      const exchange = sampleExchange(
        { model: 'm', messages: [{ role: 'user', content }], tools },
        { principal: { tenant }, secrets },
      );
      const headers = ['authorization', `Bearer ${head}.e30.AA`];
      await handle({ ...exchange, request: { ...exchange.request, headers } });
      expect(new Set(seen)).toEqual(new Set([tenant]));
    },
  );
});

describe('a check service that never answers', () => {
  let service: TestUpstream;
  beforeAll(async () => {
    service = await startUpstream(({ request, json }) => {
      if (request.path === '/quick') json(openaiAnswer({ text: 'Fine.' }));
    });
  });
  afterAll(() => service.close());

  it.each(['by the input’s cancellation', 'by a tenant of its own'])(
    'holds the connections of only one tenant, identified %s',
    async (how) => {
      const upstreams = createUpstreams({ trustedHosts: ['127.0.0.1'], connections: 2, queue: 0 });
      const clock = systemClock;
      const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
      const http = checkHttp({ ports, deadlines: new Deadlines(clock), callerPlan: false });
      const { cancellation: client, cancel } = createCancellation();
      const send = (name: string, path: string) =>
        http.send({
          url: `${service.origin}${path}`,
          ...(how === 'by a tenant of its own'
            ? { tenant: toTenant(name), cancellation: neverCancelled }
            : { cancellation: new CheckCancellation(client, { tenant: toTenant(name) }) }),
        });
      try {
        const flood = Array.from({ length: 9 }, () => send('flood', '/hangs').catch((error: Error) => error.message));
        // Two requests have connections, and all others are refused at once.
        expect(await Promise.race(flood)).toContain('Too many requests are waiting');
        expect((await send('calm', '/quick')).status).toBe(200);
      } finally {
        cancel();
        await upstreams.close();
      }
    },
  );
});
