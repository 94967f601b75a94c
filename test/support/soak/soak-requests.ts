/** One request of a soak, and the expected status. */
export interface SoakRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The requested model. The upstream fails for `down`. */
  readonly model: string;
  readonly status: number;
}

export interface SoakUpstream {
  readonly port: number;
}

/** Returns a config in a header and its expected result. No two numbers produce the same text. */
export const configRequest = (at: number, { port }: SoakUpstream): SoakRequest => {
  const upstream = (key: string): object => ({
    provider: 'openai',
    api_key: `sk-soak-${key}-${at}`,
    custom_host: `http://127.0.0.1:${port}/v1`,
  });
  const breaker = { cb_config: { failure_threshold: 1, cooldown_interval: 60_000 } };
  const echo = { provider: 'echo', override_params: { seed: at } };
  const guarded = (guardrail: object): object => ({ ...echo, input_guardrails: [{ ...guardrail, deny: true }] });
  const kinds: readonly (() => {
    readonly config: object | string;
    readonly status: number;
    readonly model?: string;
  })[] = [
    () => ({ config: echo, status: 200 }),
    () => ({ config: { ...upstream('one'), ...breaker }, status: 502, model: 'down' }),
    () => ({
      config: { strategy: { mode: 'fallback' }, targets: [{ ...upstream('two'), ...breaker }, echo] },
      status: 200,
      model: 'down',
    }),
    () => ({
      config: {
        strategy: {
          mode: 'conditional',
          conditions: [{ query: { 'metadata.tier': { $regex: `^tier-${at}$` } }, then: 'chosen' }],
          default: 'spread',
        },
        targets: [
          { name: 'chosen', provider: 'echo' },
          { name: 'spread', strategy: { mode: 'loadbalance' }, targets: [echo, upstream('three')] },
        ],
      },
      status: 200,
    }),
    () => ({ config: guarded({ 'default.regexMatch': { rule: `word-${at}`, not: true } }), status: 200 }),
    () => ({ config: guarded({ 'default.contains': { words: [`word-${at}`], operator: 'any' } }), status: 446 }),
    () => ({ config: { provider: `nobody-${at}` }, status: 400 }),
    () => ({ config: `{ "provider": "echo", "broken-${at}`, status: 400 }),
    () => ({ config: { ...echo, [`field-${at}`]: 'x'.repeat(500) }, status: 400 }),
  ];
  const { config, status, model = 'up' } = kinds[at % kinds.length]?.() ?? { config: echo, status: 200 };
  return {
    headers: {
      'x-gw-config': typeof config === 'string' ? config : JSON.stringify(config),
      'x-gw-metadata': `{"tier":"tier-${at}"}`,
      'x-gw-trace-id': `soak-${at}`,
    },
    model,
    status,
  };
};

/**
 * Returns a request for a host that no other number has, as callers choose them: by header or config, existing or not, allowed
 * or not.
 */
export const hostRequest = (at: number, { port }: SoakUpstream): SoakRequest => {
  const byHeader = (host: string): Readonly<Record<string, string>> => ({
    'x-gw-provider': 'openai',
    authorization: `Bearer sk-soak-${at}`,
    'x-gw-custom-host': `http://${host}/v1`,
  });
  const there = `host-${at}.localhost:${port}`;
  const config = { provider: 'openai', api_key: `sk-soak-${at}`, custom_host: `http://${there}/v1` };
  const kinds: readonly SoakRequest[] = [
    { headers: byHeader(there), model: 'up', status: 200 },
    { headers: { 'x-gw-config': JSON.stringify(config) }, model: 'up', status: 200 },
    { headers: byHeader(there), model: 'up', status: 200 },
    // Nothing listens on port 1.
    { headers: byHeader(`host-${at}.localhost:1`), model: 'up', status: 502 },
    { headers: byHeader(`host-${at}.internal`), model: 'up', status: 400 },
  ];
  return kinds[at % kinds.length] ?? { headers: byHeader(there), model: 'up', status: 200 };
};
