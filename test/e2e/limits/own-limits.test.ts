import { describe, expect, it, vi } from 'vitest';
import { control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { patience } from '../../support/run/patience.ts';
import { asked, saveTarget, sharedLimited } from './support/limited-gateway.ts';

const limited = sharedLimited();

describe('limits of keys, workspaces and providers', () => {
  it('apply to each of them, and a key that has used up its budget reports that it is exhausted', async () => {
    const { gateway, upstream } = await limited();
    await saveTarget(gateway, {
      ...{ upstream, slug: 'tight' },
      more: { usage_limits: { credit_limit: 5, type: 'tokens' } },
    });
    const { id = '', key = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
      body: {
        ...{ name: 'budgeted', scopes: ['completions.write'], workspace_id: 'default' },
        usage_limits: { credit_limit: 100, type: 'tokens' },
      },
    });
    const fallback = {
      strategy: { mode: 'fallback' },
      targets: [{ provider: '@tight' }, { provider: '@main' }],
    };
    expect((await asked(gateway, { input: 5 }, { key, provider: '@tight' })).status).toBe(200);
    expect((await asked(gateway, { input: 5 }, { key, provider: '@tight' })).status).toBe(412);
    expect((await asked(gateway, { input: 95 }, { key, config: fallback })).status).toBe(200);
    expect((await asked(gateway, { input: 1 }, { key, config: fallback })).status).toBe(412);
    expect(upstream.requests).toHaveLength(2);
    await vi.waitFor(
      async () => expect(await control(gateway, `GET /api-keys/${id}`)).toMatchObject({ status: 'exhausted' }),
      patience,
    );
  });

  it('are shared by all keys of a workspace, and do not affect another workspace', async () => {
    const { gateway, key } = await limited();
    const second = await makeKey(gateway, 'second');
    const { id: other = '' } = await control(gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
    const elsewhere = await control(gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'elsewhere', scopes: ['completions.write'], workspace_id: other },
    });
    const limit = (limits: object) => control(gateway, 'PUT /workspaces/default', { body: limits });
    const ask = (who: { readonly key: string }, input: number) => asked(gateway, { input }, who);
    const isFree = async () =>
      (await asked(gateway, {}, { key: elsewhere.key ?? '', config: { provider: 'echo' } })).status === 200;

    await limit({ usage_limits: { credit_limit: 10, type: 'tokens' } });
    expect((await ask(key, 10)).status).toBe(200);
    const refused = await ask(second, 1);
    expect([refused.status, refused.code]).toEqual([412, 'usage-exhausted']);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await isFree()).toBe(true);

    await limit({ usage_limits: null, rate_limits: [{ type: 'requests', unit: 'rpd', value: 2 }] });
    expect([await ask(key, 1), await ask(second, 1)].map(({ status }) => status)).toEqual([200, 200]);
    const over = await ask(key, 1);
    expect([over.status, over.code]).toEqual([429, 'rate-limited']);
    expect(over.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(await isFree()).toBe(true);
  });
});
