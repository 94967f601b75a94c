import { expect } from 'vitest';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { TestUpstream } from '../support/servers/upstream-server.ts';
import { basePathOf, credentialOf, secretHeaders, settingsOf } from './targets.ts';

interface Passing {
  readonly provider: Provider;
  readonly gateway: string;
  readonly upstream: TestUpstream;
}

/** Sends a request that the gateway does not model to a provider for which it forwards every request unchanged. */
export const tryPassing = async ({ provider, gateway, upstream }: Passing): Promise<void> => {
  const before = upstream.requests.length;
  upstream.handle((call) => call.json({ passed: 'through' }));
  const config = {
    ...{ provider: provider.id, ...credentialOf(provider), ...settingsOf(provider) },
    custom_host: upstream.origin + basePathOf(provider),
  };
  const answer = await fetch(`${gateway}/v1/things/of-the-test?one=1`, {
    headers: { 'x-gw-config': JSON.stringify(config), authorization: 'Bearer not-sent' },
  });
  expect([answer.status, await answer.json()]).toEqual([200, { passed: 'through' }]);
  const [request = expect.unreachable(), ...others] = upstream.requests.slice(before);
  expect(others).toEqual([]);
  expect(request.method).toBe('GET');
  expect(request.path).toContain('things/of-the-test?');
  for (const [name, value] of secretHeaders(provider)) expect(request.header(name)).toBe(value);
  expect(request.head).not.toContain('not-sent');
};
