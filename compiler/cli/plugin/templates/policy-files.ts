import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A policy that limits the requests of each tenant. */
export const policyFiles = ({ name, id }: NewPlugin): KindFiles => ({
  source: `import type { GatewayResponse, Hooks } from 'gatewright/sdk';

const refusal = (limit: number): GatewayResponse => ({
  status: 429,
  headers: ['content-type', 'application/json', 'retry-after', '60'],
  origin: 'limit',
  body: {
    kind: 'bytes',
    bytes: Buffer.from(
      JSON.stringify({ error: { message: \`At most \${limit} requests a minute are admitted.\`, type: 'rate_limit_error' } }),
    ),
  },
});

/** The maximum number of tenants that are counted at a time. */
const maxTenants = 10_000;

/**
 * Admits at most \`limit\` requests a minute of each tenant, in this process. If it refuses one, a fallback calls its next
 * target.
 */
export const applyPolicy = (hooks: Hooks, { limit }: { readonly limit: number }): void => {
  let minute = 0;
  const counts = new Map<string, number>();
  hooks.admit.tap('${name}', (_leaf, { principal }) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute || counts.size >= maxTenants) counts.clear();
    minute = now;
    const count = (counts.get(principal.tenant) ?? 0) + 1;
    counts.set(principal.tenant, count);
    return count > limit ? refusal(limit) : undefined;
  });
};
`,
  test: `import { test } from 'node:test';
import { testPolicy } from 'gatewright/testing';
import plugin from './index.js';

test('the policy admits a number of requests of each tenant', () =>
  testPolicy(plugin, [
    {
      options: { limit: 1 },
      requests: [
        { tenant: 'a', verdict: 'admitted' },
        { tenant: 'a', verdict: 429 },
        { tenant: 'b', verdict: 'admitted' },
      ],
    },
  ]));
`,
  index: `options: {
    type: 'object',
    required: ['limit'],
    properties: { limit: { type: 'integer', minimum: 1, description: 'Requests a minute of each tenant.' } },
  },
  apply: applyPolicy`,
  hooks: ['admit'],
  use: {
    text: 'The gateway file sets its limit, which holds for every config:',
    json: { plugins: [{ package: name, options: { limit: 60 } }], default_config: id },
  },
});
