import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { nothingSaved, type Saved } from '../../../../../schema/config/saved.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { startTime } from './support/followed-tenants.ts';
import { findKey, newWorldIn, readText, readView, rejection, unavailable } from './support/view-world.ts';

onEachStore((newStore) => {
  const newWorld = (): ReturnType<typeof newWorldIn> => newWorldIn(newStore);

  describe('what a tenant has saved', () => {
    it('is read when it is first needed, and then known without the store', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      process.asked.length = 0;
      expect(process.tenants.view(tenant)).toBe(view);
      expect(process.asked).toEqual([]);
    });

    it('contains providers and virtual keys by slug and id, each with its own credential', async () => {
      const { saving, tenant, start } = await newWorld();
      const provider = await saving.provider(tenant, { slug: 'main', key: 'sk-1', settings: { llmv_project: 'p' } });
      const virtual = await saving.provider(tenant, { slug: 'old', key: 'sk-2', kind: 'virtual-key' });
      const view = await readView(await start(), tenant);
      expect(Object.keys(view.saved.providers).sort()).toEqual([provider, 'main'].sort());
      expect(Object.keys(view.saved.virtualKeys).sort()).toEqual([virtual, 'old'].sort());
      expect(view.saved.providers.main).toEqual({
        provider: 'openai',
        credential: { api_key: `\${saved:providers/${provider}/credential/api_key}` },
        settings: { llmv_project: 'p' },
      });
      expect(['main', provider, 'old', virtual].map((name) => findKey(view, name))).toEqual([
        'sk-1',
        'sk-1',
        'sk-2',
        'sk-2',
      ]);
    });

    it('contains the credential and settings of an integration if that is open to the workspace', async () => {
      const { saving, organisation, tenant, other, start } = await newWorld();
      const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-i', workspaces: [tenant] });
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'shared', integration });
      await saving.provider(other, { slug: 'own', key: 'sk-own' });
      const process = await start();
      const view = await readView(process, tenant);
      expect(view.saved.providers.shared?.settings).toEqual({ llmv_organization: 'acme' });
      expect(findKey(view, 'shared')).toBe('sk-i');
      const theirs = await readView(process, other);
      expect([theirs.saved.providers.shared, findKey(theirs, 'own')]).toEqual([undefined, 'sk-own']);
    });

    it('contains no expired provider', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'short', key: 'sk-1', expiresAt: startTime + 1000 });
      await saving.provider(tenant, { slug: 'long', key: 'sk-2' });
      const process = await start();
      expect(findKey(await readView(process, tenant), 'short')).toBe('sk-1');
      await process.pass(1000);
      const view = await readView(process, tenant);
      expect([view.saved.providers.short, findKey(view, 'long')]).toEqual([undefined, 'sk-2']);
    });

    it('contains the guardrails of the workspace, then of the organisation, with references to their secrets', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const common = await saving.guardrail({ organisation }, { slug: 'pii', secret: 'common' });
      const own = await saving.guardrail({ organisation, workspace: tenant }, { slug: 'pii', secret: 'own' });
      const view = await readView(await start(), tenant);
      const { pii } = view.saved.guardrails;
      expect(pii).toEqual({
        id: 'pii',
        'check-000': {
          id: 'acme.ask',
          token: `\${saved:guardrails/${own}/checks/0/parameters/token}`,
          topic: 'pii',
        },
        deny: true,
      });
      expect(view.saved.guardrails[own]).toEqual(pii);
      const tokens = [own, common].map((id) => `\${saved:guardrails/${id}/checks/0/parameters/token}` as const);
      expect(tokens.map(view.secrets)).toEqual(['own', 'common']);
    });

    it('takes precedence over what the gateway file saves', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'both', key: 'sk-1' });
      const ofFile: Saved = {
        ...nothingSaved,
        providers: { both: { provider: 'anthropic' }, filed: { provider: 'anthropic' } },
      };
      const view = await readView(await start({ overlay: { saved: ofFile } }), tenant);
      expect([view.saved.providers.both?.provider, view.saved.providers.filed?.provider]).toEqual([
        'openai',
        'anthropic',
      ]);
      expect(view.saved.virtualKeys).toBe(ofFile.virtualKeys);
    });

    it('is used without the secrets that cannot be opened', async () => {
      const { store, saving, tenant, start } = await newWorld();
      const broken = await saving.provider(tenant, { slug: 'broken', key: 'sk-1' });
      await saving.provider(tenant, { slug: 'whole', key: 'sk-2' });
      const { credential } = await store.db
        .selectFrom('providers')
        .select('credential')
        .where('slug', '=', 'whole')
        .executeTakeFirstOrThrow();
      await saving.change(tenant, (writing) =>
        writing.updateTable('providers').set({ credential }).where('id', '=', broken).execute(),
      );
      const view = await readView(await start(), tenant);
      expect([findKey(view, 'broken'), findKey(view, 'whole')]).toEqual([undefined, 'sk-2']);
    });

    it('is undefined for a tenant that has saved nothing, is unknown or belongs to the gateway file', async () => {
      const { tenant, start } = await newWorld();
      const process = await start();
      expect(await process.tenants.view(tenant)).toBeUndefined();
      expect(process.tenants.view(tenant)).toBeUndefined();
      expect(await process.tenants.view('00000000-0000-7000-8000-000000000000' as TenantId)).toBeUndefined();
      process.asked.length = 0;
      expect(process.tenants.view('acme' as TenantId)).toBeUndefined();
      expect(process.asked).toEqual([]);
    });
  });

  describe('a config', () => {
    it('is found with its literals by slug and by id, and is read when it is first needed', async () => {
      const { saving, tenant, start } = await newWorld();
      const id = await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      expect([...view.configNames()]).toEqual(['prod']);
      expect([view.config(id)?.name, view.config(id)?.version]).toEqual(['prod', view.config('prod')?.version]);
      process.asked.length = 0;
      expect(await Promise.all([readText(view, 'prod'), readText(view, id)])).toEqual(
        Array(2).fill({ provider: 'openai', api_key: 'sk-1' }),
      );
      expect(process.asked).toEqual(['config_versions']);
      expect(view.config('prod')?.text()).toBe('{"provider":"openai","api_key":"sk-1"}');
      expect(view.config('constructor')).toBeUndefined();
    });

    it('is the only one to get a new version when it is changed', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      for (const slug of ['one', 'two']) await saving.config(tenant, { slug, key: 'sk-1' });
      const process = await start();
      const before = await readView(process, tenant);
      await saving.config(tenant, { slug: 'two', key: 'sk-2' });
      await process.pass(250);
      const after = await readView(process, tenant);
      expect(after.version).toBe(before.version);
      expect([after.saved, after.secrets]).toEqual([before.saved, before.secrets]);
      expect(after.config('one')?.version).toBe(before.config('one')?.version);
      expect(after.config('two')?.version).not.toBe(before.config('two')?.version);
      expect([await readText(before, 'two'), await readText(after, 'two')]).toMatchObject([
        { api_key: 'sk-1' },
        { api_key: 'sk-2' },
      ]);
    });

    it('that was deleted is unknown even in a view that still lists it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
      const view = await readView(await start(), tenant);
      await saving.remove('configs', tenant, 'prod');
      expect(await rejection(view.config('prod')?.text())).toMatchObject({ report: { code: 'unknown-config' } });
    });

    it('with secrets that cannot be opened is not usable', async () => {
      const { store, saving, tenant, start } = await newWorld();
      for (const slug of ['one', 'two']) await saving.config(tenant, { slug, key: 'sk-1' });
      const [{ sealed }] = (await store.db.selectFrom('config_versions').select('sealed').execute()) as [
        { sealed: string },
      ];
      await saving.change(tenant, (writing) => writing.updateTable('config_versions').set({ sealed }).execute());
      const view = await readView(await start(), tenant);
      const results = await Promise.allSettled(['one', 'two'].map((name) => view.config(name)?.text()));
      expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
        { reason: { report: { code: 'saved-not-usable' }, cause: { name: 'SecretError' } } },
      ]);
    });

    it('is the default if the workspace names it, or otherwise if it is marked as the default', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.config(tenant, { slug: 'one', key: 'sk-1' });
      await saving.config(tenant, { slug: 'two', key: 'sk-1', isDefault: true });
      const process = await start();
      expect((await readView(process, tenant)).defaultConfig).toBe('two');
      await saving.settings(tenant, { config: 'one' });
      await process.pass(250);
      expect((await readView(process, tenant)).defaultConfig).toBe('one');
    });
  });

  describe('the prompts of a tenant', () => {
    it('are found by all their names, but not in another tenant', async () => {
      const { saving, tenant, other, start } = await newWorld();
      const id = await saving.prompt(tenant, 'greeting');
      await saving.prompt(tenant, 'greeting');
      const process = await start();
      const view = await readView(process, tenant);
      expect(view.saved.prompts).toEqual({ slugs: ['greeting'], found: {} });
      const names = ['greeting', id, 'greeting@2', `${id}@latest`];
      const found = await view.prompts([...names, 'greeting@3', 'greeting@live', 'nobody', '']);
      const rendered = [...found].map(([name, { slug, kind, virtualKey, fill }]) => [
        ...[name, slug, kind, virtualKey],
        fill({ variables: { x: 'y' }, stream: true }),
      ]);
      const of = (name: string, number: number) => [
        ...[name, 'greeting', 'text', '@main'],
        { prompt: `Version ${number}: y`, stream: true },
      ];
      expect(rendered).toEqual([of('greeting', 1), of(id, 1), of('greeting@2', 2), of(`${id}@latest`, 2)]);
      expect(new Set([...found.values()].map(({ versionId }) => versionId)).size).toBe(2);
      expect(await (await process.tenants.viewNow(other)).prompts(names)).toEqual(new Map());
    });

    it('cannot be looked up while the store is unavailable', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.prompt(tenant, 'greeting');
      const process = await start();
      const view = await readView(process, tenant);
      process.answers = 'with an error';
      expect(await rejection(view.prompts(['greeting']))).toMatchObject(unavailable);
    });
  });

  describe('default guardrails', () => {
    it('are those of the organisation, whatever names the workspace uses, then those of the workspace', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const pii = await saving.guardrail({ organisation }, { slug: 'pii', secret: 'a' });
      const own = await saving.guardrail({ organisation, workspace: tenant }, { slug: 'pii', secret: 'b' });
      // A slug may look like an id.
      await saving.guardrail({ organisation, workspace: tenant }, { slug: pii, secret: 'c' });
      await saving.organisationSettings(organisation, { input_guardrails: ['pii'], output_guardrails: ['filed'] });
      await saving.settings(tenant, { input_guardrails: ['pii', 'filed', pii] });
      const view = await readView(await start(), tenant);
      expect(view.defaultGuardrails).toEqual({ input: [pii, own, 'filed'], output: ['filed'] });
      expect(view.saved.guardrails[pii]).toMatchObject({ 'check-000': { topic: 'pii' } });
    });

    it('of the organisation never resolve to those of a workspace, even if the organisation has none of that name', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const own = await saving.guardrail({ organisation, workspace: tenant }, { slug: 'filed', secret: 'a' });
      await saving.organisationSettings(organisation, { input_guardrails: ['filed', own, 'other'] });
      const { defaultGuardrails, saved } = await readView(await start(), tenant);
      const [first = '', second = '', third] = defaultGuardrails?.input ?? [];
      expect(third).toBe('other');
      expect([first, second].filter((name) => Object.hasOwn(saved.guardrails, name))).toEqual([]);
      expect(first).toContain('filed');
    });

    it('are absent if none are set', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      expect(await readView(await start(), tenant)).not.toHaveProperty('defaultGuardrails');
    });
  });

  it('memory is limited: the least recently used tenant is evicted and read again', async () => {
    const { saving, tenant, other, start } = await newWorld();
    for (const each of [tenant, other])
      await saving.provider(each, { slug: 'main', key: 'sk-1', settings: { llmv_project: 'p'.repeat(5000) } });
    const process = await start({ maxBytes: 60_000 });
    await readView(process, tenant);
    await readView(process, other);
    expect(process.tenants.status()).toMatchObject({ tenants: 1, isUnavailable: false });
    expect(process.tenants.status().bytes).toBeLessThanOrEqual(60_000);
    expect(process.tenants.view(other)).not.toBeInstanceOf(Promise);
    expect(process.tenants.view(tenant)).toBeInstanceOf(Promise);
    expect(findKey(await readView(process, tenant), 'main')).toBe('sk-1');
  });
});
