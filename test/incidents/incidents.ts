import type { Incident } from './incident.ts';

const key = { 'x-gw-provider': 'echo' };
const main = { target: 'main', path: 'config.targets[0].targets[1]' } as const;
const nowhere = { target: '-', path: '-', attempt: '-' } as const;

/** The body of the request that creates a key with these scopes. */
const scopes = (names: readonly string[]): object => ({ name: 'app', scopes: names, workspace_id: 'default' });

/** Typical gateway problems, each with what an operator must find. */
export const incidents: readonly Incident[] = [
  {
    name: "a wrong key of the provider's",
    run: ({ ask }) => ask('wrong-key'),
    declares: { ...main, attempt: 1, cause: 'upstream-401', remedy: /credential of the target/ },
  },
  {
    name: 'no service key',
    run: ({ ask }) => ask(undefined, { key: null, headers: key }),
    declares: { ...nowhere, cause: 'missing-service-key', remedy: /in the header x-gw-api-key/ },
  },
  {
    name: 'a service key that was revoked',
    run: async ({ ask, control }) => {
      const made = await control('POST /api-keys/workspace/service', scopes(['completions.write']));
      await control(`DELETE /api-keys/${made.id}`);
      return ask(undefined, { key: made.key ?? '', headers: key });
    },
    declares: { ...nowhere, cause: 'wrong-service-key', remedy: /neither expired nor revoked/ },
  },
  {
    name: 'a service key without the scope',
    run: async ({ ask, control }) => {
      const made = await control('POST /api-keys/workspace/service', scopes(['prompts.read']));
      return ask(undefined, { key: made.key ?? '', headers: key });
    },
    declares: { ...nowhere, cause: 'missing-scope', remedy: /scope completions\.write.*Use a key that has it/ },
  },
  {
    name: 'a key whose budget is used up',
    run: async ({ ask, control }) => {
      const made = await control('POST /api-keys/workspace/service', {
        ...scopes(['completions.write']),
        usage_limits: { credit_limit: 1, type: 'tokens' },
      });
      const asked = { key: made.key ?? '' };
      await ask('well', asked);
      return ask('well', asked);
    },
    declares: {
      ...nowhere,
      cause: 'usage-exhausted',
      remedy: /usage limit "key app".*it allows 1 token\..*raise/,
    },
  },
  {
    name: 'a budget of a model that is used up',
    run: async ({ ask, control }) => {
      await control('POST /policies/usage-limits', {
        ...{ name: 'Small', type: 'tokens', credit_limit: 1, workspace_id: 'default' },
        ...{ conditions: [{ key: 'model', value: 'scarce' }], group_by: [{ key: 'model' }] },
      });
      await ask('scarce');
      return ask('scarce');
    },
    declares: { ...main, attempt: '-', cause: 'usage-exhausted', remedy: /usage limit "Small".*it allows 1 tokens?/ },
  },
  {
    name: 'an open circuit',
    run: async ({ ask }) => {
      await ask('circuit');
      return ask('circuit');
    },
    declares: {
      target: 'first',
      path: 'config.targets[0]',
      attempt: '-',
      cause: 'circuit-open',
      remedy: /until its cooldown is over/,
    },
  },
  {
    name: 'a denied request',
    run: ({ ask }) => ask('input', { body: { messages: [{ role: 'user', content: 'Is it marmalade?' }] } }),
    declares: { ...main, attempt: '-', cause: 'checks-failed', remedy: /denied this request.*Change the request/ },
  },
  {
    name: 'a denied answer',
    run: ({ ask }) => ask('output'),
    declares: { ...main, attempt: 1, cause: 'checks-failed', remedy: /denied this answer/ },
  },
  {
    name: 'a slow provider',
    run: ({ ask }) => ask('slow'),
    declares: { ...main, attempt: 1, cause: 'request-timeout', remedy: /within 150 ms.*Raise request_timeout/ },
  },
  {
    name: 'a refused connection',
    run: ({ ask }) => ask('refused'),
    declares: { ...main, attempt: 1, cause: 'connection-failed', remedy: /refused.*Check the host/ },
  },
  {
    name: 'a host without an address',
    run: ({ ask }) => ask('dns'),
    declares: {
      ...main,
      attempt: 1,
      cause: 'connection-failed',
      remedy: /no-such-host.*(does not resolve|name server did not answer).*Check the host/,
    },
  },
  {
    name: 'a host that does not speak TLS',
    run: ({ ask }) => ask('tls'),
    declares: { ...main, attempt: 1, cause: 'connection-failed', remedy: /its answer is not TLS.*Check the host/ },
  },
  {
    name: 'a provider that fails until no retry is left',
    run: ({ ask }) => ask('down'),
    declares: { ...main, attempt: 2, cause: 'upstream-500', remedy: /fallback target/ },
  },
  {
    name: 'a provider that limits the rate',
    run: ({ ask }) => ask('busy'),
    declares: { ...main, attempt: 1, cause: 'upstream-429', remedy: /retry-after/ },
  },
  {
    name: 'a stream that is cut in the middle',
    run: ({ ask }) => ask('cut', { body: { stream: true } }),
    declares: { ...main, attempt: 1, cause: 'stream-cut', remedy: /Send the request again/ },
  },
  {
    name: 'an answer that cannot be read',
    run: ({ ask }) => ask('html'),
    declares: { ...main, attempt: 1, cause: 'unreadable-answer', remedy: /text\/html.*Send the request again/ },
  },
  {
    name: 'a model that the provider does not know',
    run: ({ ask }) => ask('unknown-model'),
    declares: { ...main, attempt: 1, cause: 'upstream-404', remedy: /Correct the model/ },
  },
  {
    name: 'a misspelt target in a header config',
    run: ({ ask }) =>
      ask({
        strategy: {
          mode: 'conditional',
          conditions: [{ query: { 'metadata.tier': 'gold' }, then: 'careful' }],
          default: 'fats',
        },
        targets: [
          { name: 'fast', provider: 'echo' },
          { name: 'careful', provider: 'echo' },
        ],
      }),
    declares: { ...nowhere, cause: 'invalid-config', remedy: /"fats".*Did you mean "fast"\?/ },
  },
  {
    name: 'a saved credential for another host',
    run: ({ ask }) => ask({ provider: '@acme' }, { headers: { 'x-gw-custom-host': 'https://elsewhere.example/v1' } }),
    declares: {
      target: 'openai',
      path: 'config',
      attempt: '-',
      cause: 'credential-origin-mismatch',
      remedy: /elsewhere\.example.*Send your own credential/,
    },
  },
  {
    name: 'a body that is not JSON',
    run: ({ ask }) => ask('reads', { body: '{"model": "gpt-4o", "messages": [' }),
    declares: { ...nowhere, cause: 'malformed-body', remedy: /Send one JSON object/ },
  },
  {
    name: 'a body that is too large',
    run: ({ ask }) => ask('wrong-key', { body: { padding: 'x'.repeat(30_000) } }),
    declares: { ...nowhere, cause: 'body-too-large', remedy: /20000 bytes.*Send a smaller body/ },
  },
  {
    name: 'a saved config that is not there',
    run: ({ ask }) => ask('wrong-kee'),
    declares: { ...nowhere, cause: 'unknown-config', remedy: /Did you mean "wrong-key"\?/ },
  },
  {
    name: 'a host that is blocked',
    run: ({ ask }) => ask({ provider: 'openai', api_key: 'k', custom_host: 'http://10.0.0.1/v1' }),
    declares: { target: 'openai', path: 'config', attempt: '-', cause: 'host-not-allowed', remedy: /10\.0\.0\.1/ },
  },
];
