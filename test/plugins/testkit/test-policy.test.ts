import { describe, expect, it } from 'vitest';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { applyPlugin } from '../../../plugins/testkit/apply-plugin.ts';
import { testPolicy } from '../../../plugins/testkit/test-policy.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';

const refusal = {
  status: 429,
  headers: ['a', 'b'],
  origin: 'limit',
  body: { kind: 'bytes', bytes: Buffer.from('{}') },
} as const;

/** Admits a limited number of requests for each tenant. */
const policy = (answer: object = refusal): Plugin =>
  definePlugin({
    name: 'acme',
    options: { type: 'object', properties: { limit: { type: 'integer', default: 1 } } },
    apply: (hooks, { limit }) => {
      const counts = new Map<string, number>();
      hooks.admit.tap('acme', (_leaf, { principal }) => {
        const count = (counts.get(principal.tenant) ?? 0) + 1;
        counts.set(principal.tenant, count);
        return count > limit ? ({ ...refusal, ...answer } as typeof refusal) : undefined;
      });
    },
  });

const twice = [{ verdict: 'admitted' }, { verdict: 429 }] as const;

describe('testPolicy', () => {
  it('runs each case separately, with options and tenants', async () => {
    await testPolicy(policy(), [
      { requests: [...twice, { tenant: 'other', verdict: 'admitted' }] },
      { requests: twice },
      { options: { limit: 2 }, requests: [{ verdict: 'admitted' }, { verdict: 'admitted' }, { verdict: 429 }] },
    ]);
  });

  it.each([
    [{ status: 200 }, 'its status 200 is not that of an error'],
    [{ origin: 'upstream' }, 'its origin is "upstream", not "limit"'],
    [{ headers: ['alone'] }, 'its headers are not pairs of names and values'],
    [{ body: { kind: 'bytes', bytes: Buffer.alloc(0) } }, 'its body is empty'],
  ])('reports what is wrong with the refusal %j', async (answer, error) => {
    await expect(testPolicy(policy(answer), [{ requests: twice }])).rejects.toThrow(error);
  });

  it('reports unexpected verdicts, thrown errors, and a plugin that decides nothing', async () => {
    await expect(testPolicy(policy(), [{ requests: [{ verdict: 429 }] }])).rejects.toThrow(
      'expected 429, got admitted',
    );
    const throws = definePlugin({
      name: 'acme',
      apply: (hooks) =>
        hooks.admit.tap('acme', () => {
          throw new Error('no');
        }),
    });
    await expect(testPolicy(throws, [{ requests: [{ verdict: 500 }] }])).rejects.toThrow('it throws: no');
    await expect(testPolicy(definePlugin({ name: 'acme' }), [])).rejects.toThrow('it taps neither');
  });

  it('treats a GatewayError as a refusal with its status', async () => {
    const throws = definePlugin({
      name: 'acme',
      apply: (hooks) =>
        hooks.beforeRoute.tap('acme', () => {
          throw gatewayError('overloaded', {});
        }),
    });
    await testPolicy(throws, [{ requests: [{ verdict: 503 }] }]);
  });
});

describe('applyPlugin', () => {
  it('rejects options that the schema does not accept', () => {
    expect(() => applyPlugin(policy(), { limt: 1 })).toThrow('There is no option "limt".');
  });
});
