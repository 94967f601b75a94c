import { describe, expect, it } from 'vitest';
import { type GreetingOptions, greeting, metricsGreeting } from '../../../runtime/cli/greeting.ts';

const firstLine = (host: string): string | undefined =>
  greeting({ host, port: 8787, settings: {}, plans: [] }).split('\n')[0];

describe('the greeting', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://[::1]:8787'],
  ])('says that %s is all addresses, as that of metrics does', (host, url) => {
    const everywhere = ', and at port 8787 of all addresses of this machine';
    expect(firstLine(host)).toBe(`Gatewright listens on ${url}${everywhere}`);
    expect(metricsGreeting({ host, port: 8787 })).toBe(`Metrics are at ${url}/metrics${everywhere}.`);
  });

  it.each(['127.0.0.1', '10.0.0.5'])('names %s alone', (host) => {
    expect(firstLine(host)).toBe(`Gatewright listens on http://${host}:8787`);
  });

  const own = (options: Partial<GreetingOptions>): string =>
    greeting({ host: '127.0.0.1', port: 8787, settings: {}, plans: [], ...options });

  it('lists the models that the gateway file names, aliases too', () => {
    const models = { gpt: 'config:gpt', fast: 'config:gpt', small: '@main/gpt-5.4-mini' };
    const text = own({ settings: { models }, plans: ['gpt'] });
    expect(text.split('\n').slice(1, 3)).toEqual(['It serves gpt.', 'Clients ask for the models gpt, fast, small.']);
    expect(own({ settings: { models: { gpt: 'config:gpt' } } })).toContain('Clients ask for the model gpt.\n');
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`m${at}`, 'config:gpt']));
    expect(own({ settings: { models: many } })).toContain(' m19 and 5 more.\n');
    expect(own({})).not.toContain('Clients ask');
  });

  it('asks for the first model that holds conversations', () => {
    const models = { near: '@main/text-embedding-3-small', 'text-embedding': 'config:near', "Ada's": 'config:gpt' };
    const text = own({ settings: { models } });
    expect(text).toContain(`-d '{"model":"Ada\\u0027s",`);
    expect(text).not.toContain('x-gw-provider');
  });

  it('asks the default config where that sets the model, and else the provider that is part of the gateway', () => {
    const text = own({ plans: ['main'], setsModel: true });
    expect(text).toContain('-d \'{"model":"any",');
    expect(text).not.toContain('x-gw-provider');
    expect(own({ plans: ['main'] })).toContain(
      "-H 'x-gw-provider: echo' -H 'content-type: application/json' -d '{\"model\":\"echo\",",
    );
  });
});
