import { describe, expect, it } from 'vitest';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider, type Endpoint, type EndpointCall } from '../../../../../plugins/sdk/provider/provider.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

/** A provider whose path is computed from the call. */
const callPath = (chat: Endpoint, settings = {}) => {
  const provider = defineProvider({
    id: 'own',
    documentation: 'here',
    baseUrl: 'https://own.example/base//',
    credential: 'none',
    speaks: { chat },
    headers: () => [],
  });
  return runConfig(
    { provider: 'own', ...settings },
    { upstream: () => stubAnswer({}), plugins: [definePlugin({ name: 'own', providers: [provider] })] },
  );
};

describe('a path that is computed from the call', () => {
  it('can use the model and whether the answer streams, after overrides, and is appended to the base path', async () => {
    const calls: EndpointCall[] = [];
    const endpoint = (call: EndpointCall): string => {
      calls.push(call);
      return '/made';
    };
    const plain = callPath(endpoint);
    for (const params of [{ model: 'm', stream: true }, { model: 7, stream: 'yes' }, {}])
      await plain.handle(sampleExchange(params));
    await callPath(endpoint, { override_params: { model: 'over' } }).handle(sampleExchange({ model: 'm' }));
    expect(calls).toEqual([
      { path: '/chat/completions', settings: {}, model: 'm', stream: true },
      { path: '/chat/completions', settings: {}, model: undefined, stream: false },
      { path: '/chat/completions', settings: {}, model: undefined, stream: false },
      { path: '/chat/completions', settings: {}, model: 'over', stream: false },
    ]);
    expect(plain.upstreams.requests[0]?.path).toBe('/base/made');
  });

  it('does not require the body to be read if it is the same for all calls', async () => {
    const { handle, upstreams } = callPath('/fixed');
    const unread = () => {
      throw new Error('Nobody asked to read it.');
    };
    expect(await handle(sampleExchange({}, { json: unread }))).toMatchObject({ status: 200 });
    expect(upstreams.requests[0]?.path).toBe('/base/fixed');
  });

  it('is reported with the thrown message if it cannot be computed', async () => {
    const thrown: unknown[] = [new Error('the region is missing'), 'no region.'];
    for (const [index, reason] of ['the region is missing.', 'no region.'].entries()) {
      const response = await callPath(() => {
        throw thrown[index];
      }).handle(sampleExchange({}));
      expect(response).toMatchObject({ status: 400, cause: 'missing-base-url' });
      expect(JSON.stringify(toJson(response))).toContain(`The provider own has no base URL: ${reason} Give`);
    }
  });
});
