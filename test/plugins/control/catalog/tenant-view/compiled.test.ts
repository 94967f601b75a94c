import { expect, it } from 'vitest';
import { compile } from '../../../../../compiler/compile.ts';
import { builtinPlugins } from '../../../../../plugins/builtin.ts';
import { defineGuardrail, pass } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import { buildCatalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { newSqliteStore } from '../../kernel/secrets/each-store.ts';
import { followedTenants } from './support/followed-tenants.ts';
import { savingIn } from './support/saving.ts';

const asker = defineGuardrail({
  id: 'acme.ask',
  parameters: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', format: 'secret' }, topic: { type: 'string' } },
  },
  create: () => () => pass(),
});

const catalogue = buildCatalogue([...builtinPlugins, definePlugin({ name: 'acme', guardrails: [asker] })]);

it('saved and caller configs can name what a workspace has saved, and their plans get every secret they need', async () => {
  const store = await newSqliteStore()();
  const saving = await savingIn(store);
  const organisation = await saving.organisation();
  const tenant = await saving.workspace(organisation);
  const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-integration' });
  await saving.provider(tenant, { slug: 'shared', integration });
  const virtual = await saving.provider(tenant, { slug: 'old', key: 'sk-virtual', kind: 'virtual-key' });
  const common = await saving.guardrail({ organisation }, { slug: 'common', secret: 'token of all' });
  await saving.guardrail({ organisation, workspace: tenant }, { slug: 'own', secret: 'token of one' });
  const process = followedTenants(store, saving.sealer, { catalogue });
  const { saved, secrets } = await process.tenants.viewNow(tenant);
  const text = JSON.stringify({
    strategy: { mode: 'fallback' },
    targets: [{ provider: '@shared' }, { virtual_key: virtual }],
    input_guardrails: ['own', common],
  });
  for (const trust of ['saved', 'caller'] as const) {
    const { plan, diagnostics, secrets: literals } = compile(text, { trust, catalogue, saved });
    expect([diagnostics, literals]).toEqual([[], []]);
    expect(plan?.requires.secrets.map(secrets).sort()).toEqual([
      'sk-integration',
      'sk-virtual',
      'token of all',
      'token of one',
    ]);
    expect(JSON.stringify(plan)).not.toMatch(/sk-|token of/);
  }
});
