import { describe, expect, it } from 'vitest';
import { callControl, control, type NewKey } from '../../support/gateways/stored-gateway.ts';
import { asked, limitedGateway, makePolicy } from './support/limited-gateway.ts';

const scopes = ['completions.write', 'keys.create', 'keys.delete'] as const;

describe('usage of keys that a limited key has created', () => {
  it.each(['its own limits', 'a policy that names it'])(
    'counts for its creator by %s, also after the creator was revoked',
    async (by) => {
      const { gateway } = await limitedGateway();
      const limit = { usage_limits: { credit_limit: 10, type: 'tokens' } };
      const make = async (key: string | undefined, body: object = {}): Promise<NewKey> => {
        const { id = '', key: text = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
          body: { name: 'k', scopes, ...(key === undefined ? { workspace_id: 'default' } : {}), ...body },
          ...(key === undefined ? {} : { key }),
        });
        return { id, key: text };
      };
      const maker = await make(undefined, by === 'its own limits' ? limit : {});
      if (by !== 'its own limits')
        await makePolicy(gateway, 'usage-limits', {
          ...{ type: 'tokens', credit_limit: 10 },
          ...{ conditions: [{ key: 'api_key', value: maker.id }], group_by: [{ key: 'api_key' }] },
        });
      const child = await make(maker.key);
      expect((await asked(gateway, { input: 6 }, maker)).status).toBe(200);
      expect((await asked(gateway, { input: 4 }, child)).status).toBe(200);
      const grandchild = await make(child.key);
      for (const key of [maker, child, grandchild])
        expect((await asked(gateway, { input: 1 }, key)).code).toBe('usage-exhausted');
      expect((await callControl(gateway, `DELETE /api-keys/${maker.id}`, { key: grandchild.key })).status).toBe(200);
      for (const key of [child, grandchild])
        expect((await asked(gateway, { input: 1 }, key)).code).toBe('usage-exhausted');
      expect((await asked(gateway, { input: 1 }, await make(undefined))).status).toBe(200);
    },
  );
});
