import { describe, expect, it } from 'vitest';
import { type GreetingOptions, greeting, metricsGreeting } from '../../../runtime/cli/greeting.ts';
import { toSampleRequest } from '../../../runtime/cli/sample-request.ts';
import type { GenerationPlans } from '../../../runtime/file-plans/generation.ts';
import type { ServedPlan } from '../../../runtime/file-plans/served-plan.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';

const firstLine = (host: string): string | undefined =>
  greeting({ host, port: 8787, settings: {}, plans: [] }).split('\n')[0];

describe('the greeting', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8787'],
    ['::', 'http://[::1]:8787'],
  ])('says that %s means all addresses, as the greeting of metrics does', (host, url) => {
    const everywhere = ', and on port 8787 of all addresses of this machine';
    expect(firstLine(host)).toBe(`Gatewright listens on ${url}${everywhere}`);
    expect(metricsGreeting({ host, port: 8787 })).toBe(`Metrics are at ${url}/metrics${everywhere}.`);
  });

  it.each(['127.0.0.1', '10.0.0.5'])('names only %s', (host) => {
    expect(firstLine(host)).toBe(`Gatewright listens on http://${host}:8787`);
  });

  const own = (options: Partial<GreetingOptions>): string =>
    greeting({ host: '127.0.0.1', port: 8787, settings: {}, plans: [], ...options });

  it('lists the models that the gateway file names, including aliases', () => {
    const models = { gpt: 'config:gpt', fast: 'config:gpt', small: '@main/gpt-5.4-mini' };
    const text = own({ settings: { models }, plans: ['gpt'] });
    expect(text.split('\n').slice(1, 3)).toEqual(['Plans: gpt', 'Virtual models: gpt, fast, small']);
    expect(own({ settings: { models: { gpt: 'config:gpt' } } })).toContain('Virtual models: gpt\n');
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`m${at}`, 'config:gpt']));
    expect(own({ settings: { models: many } })).toContain(' m19 and 5 more\n');
    expect(own({})).not.toContain('Virtual models');
  });

  it('explains which certificates curl needs', () => {
    const cert = { cert: 'tls.crt', key: 'tls.key' };
    const lines = (tls: object): readonly string[] =>
      own({ settings: { listen: { tls: { ...cert, ...tls } } } })
        .split('\n')
        .filter((line) => line.includes('add --'));
    const authority = expect.stringContaining('add --cacert FILE');
    const clients = expect.stringContaining('add --cert FILE --key FILE');
    expect(lines({})).toEqual([authority]);
    expect(lines({ client_ca: 'ca.crt' })).toEqual([authority, clients]);
    expect(lines({ client_ca: 'ca.crt', client_certificates: 'request' })).toEqual([authority]);
    expect(own({})).not.toContain('add --');
  });

  const none: GenerationPlans = { entries: new Map() };

  /** Returns plans in service whose targets have only these members. */
  const plansOf = (targets: { readonly [name: string]: object }): GenerationPlans => ({
    entries: new Map(
      Object.entries(targets).map(([name, target]) => {
        const whole = {
          from: { kind: 'inline', provider: 'openai' },
          params: { override: {} },
          settings: {},
          ...target,
        };
        return [name, { source: '', file: '', served: { routing: { targets: [whole] } } as unknown as ServedPlan }];
      }),
    ),
  });

  const sampled = (plans: GenerationPlans, settings: GatewayFile): string =>
    own({ settings, plans: [...plans.entries.keys()], sample: toSampleRequest(plans, settings) });

  it('sends the sample request to a model that is known to chat, or else to the first that may', () => {
    const models = { near: '@main/text-embedding-3-small', speaker: '@main/aura-2', writer: '@main/claude-sonnet-5' };
    expect(sampled(none, { models })).toContain(`-d '{"model":"writer",`);
    const others = { near: '@main/text-embedding-3-small', 'text-embedding': 'config:near', "Ada's": 'config:gpt' };
    expect(sampled(none, { models: others })).toContain(`-d '{"model":"Ada\\u0027s",`);
    const speech = plansOf({ speech: { params: { override: { model: 'gpt-4o-mini-tts' } } } });
    const served = speech.entries.get('speech')?.served;
    const target = { kind: 'config', config: 'speech' } as const;
    const plans = { ...speech, models: new Map([['polly', { target, served }]]) };
    expect(toSampleRequest(plans, { models: { polly: 'config:speech' } })).toBeUndefined();
  });

  it.each([
    ['a model', { params: { override: { model: 'gpt-5.4-mini' } } }, { model: 'any' }],
    ['a deployment', { settings: { deployment_id: 'a' } }, { model: 'any' }],
    ['neither a model nor a deployment', {}, { model: 'MODEL', isOpen: true }],
    ['no provider', { from: { kind: 'request' } }, undefined],
  ])('sends the sample request to the default config if that names %s', (_, target, sample) => {
    const plans = plansOf({ main: target });
    expect(toSampleRequest(plans, { default_config: 'main' })).toEqual(sample);
    expect(toSampleRequest(plans, {})).toEqual(sample && { config: 'main', ...sample });
  });

  it('names a config or a provider in the sample request if there is no default', () => {
    const text = sampled(plansOf({ main: {} }), {});
    expect(text).toContain(`-H 'x-gw-config: main' -H 'content-type: application/json' -d '{"model":"MODEL",`);
    expect(text).toContain("\n  Replace MODEL with the name of one of the provider's models.\n");
    expect(text).not.toContain('echo');
    const providers = { mine: { provider: 'openai', credential: { api_key: '${env:KEY}' } } };
    expect(sampled(none, { providers })).toContain(`-d '{"model":"@mine/MODEL",`);
  });

  it('sends the sample request to echo if nothing is configured, and says so', () => {
    const text = sampled(none, {});
    expect(text).toContain(`-H 'x-gw-provider: echo' -H 'content-type: application/json' -d '{"model":"echo",`);
    expect(text).toContain(
      '\n  The built-in provider echo answers this request. It needs no config and no provider key.\n',
    );
  });
});
