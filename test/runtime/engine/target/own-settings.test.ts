import { describe, expect, it } from 'vitest';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../plugins/sdk/provider/provider.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import { nothingSaved } from '../../../../schema/config/saved.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

/** A provider that records the settings that it gets. */
const world = (required: readonly string[], saved: JsonObject = {}) => {
  const seen: JsonObject[] = [];
  const provider = defineProvider({
    id: 'own',
    documentation: 'here',
    baseUrl: ({ hall }) => `https://${String(hall)}.own.example`,
    credential: 'none',
    settings: ['cloudc_region'],
    ownSettings: {
      type: 'object',
      required,
      properties: { hall: { type: 'string', default: 'main' }, floor: { type: 'integer' } },
    },
    speaks: { chat: ({ settings }) => `/${String(settings.hall)}/chat` },
    headers: (_credential, settings) => {
      seen.push(settings);
      return [];
    },
    authorize: async (request, { settings }) => {
      seen.push(settings);
      return request;
    },
  });
  const running = runConfig(
    { provider: '@a' },
    {
      upstream: () => stubAnswer({}),
      plugins: [definePlugin({ name: 'own', providers: [provider] })],
      saved: { ...nothingSaved, providers: { a: { provider: 'own', settings: { floor: 1, ...saved } } } },
    },
  );
  const byHeader = (overrides: JsonObject) =>
    running.clock.settle(
      running.gateway.handle(
        sampleExchange(question, { overrides: { provider: 'own', settings: overrides } }),
        running.gateway.link({ plan: requestPlan, secrets: () => undefined }),
      ),
    );
  return { ...running, seen, byHeader };
};

describe("a provider's own settings", () => {
  it('are passed to it as they are saved, with their defaults, wherever it gets settings', async () => {
    const { handle, upstreams, seen } = world([]);
    await handle(sampleExchange(question));
    expect(upstreams.requests[0]).toMatchObject({ origin: 'https://main.own.example', path: '/main/chat' });
    expect(seen).toEqual([
      { floor: 1, hall: 'main' },
      { floor: 1, hall: 'main' },
    ]);
  });

  it('have their defaults if a request names the provider', async () => {
    const { byHeader, seen } = world([]);
    await byHeader({ cloudc_region: 'eu' });
    expect(seen.at(-1)).toEqual({ hall: 'main', cloudc_region: 'eu' });
  });

  it('are missing, and nothing is sent, if a request names a provider that requires them', async () => {
    const { byHeader, upstreams } = world(['floor']);
    const response = await byHeader({});
    expect(response).toMatchObject({ status: 400, cause: 'invalid-settings' });
    expect(JSON.stringify(toJson(response))).toContain('The option \\"floor\\" is missing.');
    expect(upstreams.requests).toEqual([]);
  });

  it('are those of the plan if the plan names the provider, even if the request chooses the host', async () => {
    const { handle, upstreams } = world([]);
    await handle(
      sampleExchange(question, { overrides: { customHost: 'https://c.example', settings: { hall: 'side' } } }),
    );
    expect(upstreams.requests.map(({ origin, path }) => [origin, path])).toEqual([['https://c.example', '/main/chat']]);
  });
});
