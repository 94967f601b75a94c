import { describe, expect, it, onTestFinished } from 'vitest';
import type { TenantsOptions } from '../../../../../plugins/control/catalog/view/create-tenants.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { TenantView } from '../../../../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { systemClock } from '../../../../../runtime/memory/system-clock.ts';
import { nothingSaved, type Saved } from '../../../../../schema/config/saved.ts';
import type { SecretRef } from '../../../../../schema/plan/plan.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { type FollowedStore, followedTenants, startTime } from './support/followed-tenants.ts';
import { type Saving, savingIn } from './support/saving.ts';

interface World {
  readonly store: Store;
  readonly saving: Saving;
  readonly organisation: string;
  readonly tenant: TenantId;
  /** Another one of the same organisation. */
  readonly other: TenantId;
  start(options?: Partial<TenantsOptions>): Promise<FollowedStore>;
}

/** The view of a tenant that has saved something. */
const readView = async ({ tenants }: FollowedStore, tenant: TenantId): Promise<TenantView> => {
  const view = await tenants.view(tenant);
  if (view === undefined) throw new Error('This tenant has saved nothing.');
  return view;
};

const findKey = ({ saved, secrets }: TenantView, name: string): string | undefined =>
  secrets((saved.providers[name] ?? saved.virtualKeys[name])?.credential?.api_key as SecretRef);

const readText = async (view: TenantView, name: string): Promise<unknown> =>
  JSON.parse((await view.config(name)?.text()) ?? 'null');

const rejection = (promise: unknown): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

const unavailable = { report: { code: 'store-unavailable', status: 503 } };

onEachStore((newStore) => {
  const newWorld = async (): Promise<World> => {
    const open = await newStore();
    const store = await open();
    const saving = await savingIn(store);
    const organisation = await saving.organisation();
    const tenant = await saving.workspace(organisation);
    const other = await saving.workspace(organisation);
    return {
      ...{ store, saving, organisation, tenant, other },
      async start(options) {
        const followed = followedTenants(await open(), saving.sealer, options);
        onTestFinished(() => followed.tenants.close());
        await followed.tenants.start();
        return followed;
      },
    };
  };

  describe('workspaces that are read ahead', () => {
    const settled = (process: FollowedStore, unread: number) =>
      expect.poll(() => process.tenants.status()).toMatchObject({ unread });

    it('are known without the store, with their configs, also those that are made later', async () => {
      const { saving, organisation, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      await saving.config(tenant, { slug: 'saved', key: 'sk-2' });
      const process = await start({ maxAhead: 10 });
      await expect.poll(() => process.tenants.status()).toMatchObject({ tenants: 2, unread: 0 });
      await process.settled();
      const later = await saving.workspace(organisation);
      await process.tenants.lookNow();
      await expect.poll(() => process.tenants.status()).toMatchObject({ tenants: 3, unread: 0 });
      await process.settled();
      process.asked.length = 0;
      expect(process.tenants.view(tenant)).not.toBeInstanceOf(Promise);
      expect(await (await readView(process, tenant)).config('saved')?.text()).toContain('sk-2');
      expect([process.tenants.view(other), process.tenants.view(later)]).toEqual([undefined, undefined]);
      expect(process.asked).toEqual([]);
    });

    it('are so many, the newest; the others are counted', async () => {
      const { saving, organisation, other, start } = await newWorld();
      const third = await saving.workspace(organisation);
      const process = await start({ maxAhead: 2 });
      await settled(process, 1);
      await process.settled();
      process.asked.length = 0;
      expect([process.tenants.view(other), process.tenants.view(third)]).toEqual([undefined, undefined]);
      expect(process.asked).toEqual([]);
    });

    it('leave room for those that requests need', async () => {
      const { saving, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      await saving.provider(other, { slug: 'main', key: 'sk-1' });
      const process = await start({ maxAhead: 10, maxBytes: 4000 });
      await settled(process, 1);
    });

    it('have their prompts, as they are after the last change, also where a request saw it first', async () => {
      const { saving, tenant, other, start } = await newWorld();
      const id = await saving.prompt(tenant, 'greeting');
      const process = await start({ maxAhead: 10 });
      const allRead = () =>
        expect.poll(() => process.tenants.status()).toMatchObject({ unread: 0, unreadPrompts: 0, tenants: 2 });
      await allRead();
      await saving.prompt(tenant, 'greeting');
      const view = await process.tenants.viewNow(tenant);
      await allRead();
      await process.settled();
      process.answers = 'with an error';
      const find = (reference: string, of = tenant) => process.tenants.findPrompts(of).find(reference);
      const names = ['greeting', `${id}@published`, 'greeting@latest', 'greeting@1', `${id}@2`];
      const found = await Promise.all(names.map(async (name) => (await find(name))?.version));
      expect(found).toEqual([1, 1, 2, 1, 2]);
      expect([...(await view.prompts(names)).keys()]).toEqual(names);
      for (const unknown of [find('greeting@3'), find('greeting@live'), find('nobody'), find('greeting', other)])
        expect(await rejection(unknown)).toMatchObject(unavailable);
    });

    it('have prompts that are counted where there is no room for them', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.prompt(each, 'greeting');
      const process = await start({ maxAhead: 10, maxBytes: 4000 });
      await expect.poll(() => process.tenants.status()).toMatchObject({ unread: 1, unreadPrompts: 1 });
    });
  });

  describe('what a tenant has saved', () => {
    it('is read on first need, and then known without the store', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      process.asked.length = 0;
      expect(process.tenants.view(tenant)).toBe(view);
      expect(process.asked).toEqual([]);
    });

    it('has providers and virtual keys by slug and id, each with its own credential', async () => {
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

    it('has the credential and settings of an integration, where that is open to the workspace', async () => {
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

    it('has no provider that has expired', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'short', key: 'sk-1', expiresAt: startTime + 1000 });
      await saving.provider(tenant, { slug: 'long', key: 'sk-2' });
      const process = await start();
      expect(findKey(await readView(process, tenant), 'short')).toBe('sk-1');
      await process.pass(1000);
      const view = await readView(process, tenant);
      expect([view.saved.providers.short, findKey(view, 'long')]).toEqual([undefined, 'sk-2']);
    });

    it('has guardrails of the workspace, then of the organisation, with references to their secrets', async () => {
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

    it('has what the gateway file saves beneath it', async () => {
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

    it('is used without the secrets that do not open', async () => {
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

    it('is nothing for who has saved nothing, is unknown, or is of the gateway file', async () => {
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
    it('has its literals, by slug and by id, and is read when it is first asked for', async () => {
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

    it('alone gets another version when it is changed', async () => {
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

    it('that was deleted is unknown to who still has it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
      const view = await readView(await start(), tenant);
      await saving.remove('configs', tenant, 'prod');
      expect(await rejection(view.config('prod')?.text())).toMatchObject({ report: { code: 'unknown-config' } });
    });

    it('that does not open is not usable', async () => {
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

    it('is the default that the workspace names, or that says so itself', async () => {
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
    it('are found by all their names, and by those of no other tenant', async () => {
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

    it('are not found while the store is unavailable', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.prompt(tenant, 'greeting');
      const process = await start();
      const view = await readView(process, tenant);
      process.answers = 'with an error';
      expect(await rejection(view.prompts(['greeting']))).toMatchObject(unavailable);
    });
  });

  describe('default guardrails', () => {
    it('are those of the organisation, whatever a workspace calls its own, then those of the workspace', async () => {
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

    it('of the organisation are never those of a workspace, also where the organisation has none of the name', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const own = await saving.guardrail({ organisation, workspace: tenant }, { slug: 'filed', secret: 'a' });
      await saving.organisationSettings(organisation, { input_guardrails: ['filed', own, 'other'] });
      const { defaultGuardrails, saved } = await readView(await start(), tenant);
      const [first = '', second = '', third] = defaultGuardrails?.input ?? [];
      expect(third).toBe('other');
      expect([first, second].filter((name) => Object.hasOwn(saved.guardrails, name))).toEqual([]);
      expect(first).toContain('filed');
    });

    it('are absent where nobody has set any', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      expect(await readView(await start(), tenant)).not.toHaveProperty('defaultGuardrails');
    });
  });

  describe('the version of a view', () => {
    it('is another one after each change of what plans are made of, and after no other', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-i' });
      await saving.provider(tenant, { slug: 'shared', integration });
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const versionAfter = async (change: () => Promise<unknown>): Promise<string> => {
        await change();
        await process.pass(250);
        return (await readView(process, tenant)).version;
      };
      const changes = [
        () => saving.provider(tenant, { slug: 'main', key: 'sk-2' }),
        () => saving.provider(tenant, { slug: 'vk', key: 'sk-1', kind: 'virtual-key' }),
        () =>
          saving.change(organisation, (writing) =>
            writing.updateTable('integrations').set({ settings: '{}' }).where('id', '=', integration).execute(),
          ),
        () => saving.guardrail({ organisation }, { slug: 'g', secret: 's' }),
        () => saving.guardrail({ organisation, workspace: tenant }, { slug: 'g', secret: 's' }),
        () => saving.prompt(tenant, 'greeting'),
        () => saving.prompt(tenant, 'greeting'),
        () => saving.settings(tenant, { input_guardrails: ['g'] }),
        () => saving.remove('providers', tenant, 'main'),
      ];
      const versions = [(await readView(process, tenant)).version];
      for (const change of changes) versions.push(await versionAfter(change));
      expect(new Set(versions).size).toBe(changes.length + 1);
      const same = [
        () => saving.config(tenant, { slug: 'prod', key: 'sk-1' }),
        () => saving.settings(tenant, { input_guardrails: ['g'], config: 'prod' }),
        () =>
          saving.change(tenant, (writing) => writing.updateTable('providers').set({ note: 'n', name: 'm' }).execute()),
        () => saving.change(undefined, async () => {}),
      ];
      for (const change of same) expect(await versionAfter(change)).toBe(versions.at(-1));
    });
  });

  describe('a change', () => {
    it('of one process is seen by another within a second, and reads that tenant alone', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const [mine, theirs] = [await readView(process, tenant), await readView(process, other)];
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      await process.pass(250);
      process.asked.length = 0;
      expect(process.tenants.view(other)).toBe(theirs);
      expect(process.asked).toEqual([]);
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
      expect(process.asked.filter((table) => table === 'providers')).toHaveLength(1);
      expect(findKey(mine, 'main')).toBe('sk-1');
    });

    it('is seen by a process that runs by the time of day, too', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start({ clock: systemClock });
      await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      const key = async (): Promise<string | undefined> => findKey(await readView(process, tenant), 'main');
      await expect.poll(key).toBe('sk-2');
    });

    it('is seen at once where the store tells of it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      process.announce();
      await process.settled();
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
    });

    it('of an organisation is seen in its workspaces and in no other', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const foreign = await saving.workspace(await saving.organisation());
      const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-i' });
      await saving.provider(tenant, { slug: 'shared', integration });
      await saving.provider(foreign, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      const theirs = await readView(process, foreign);
      await saving.change(organisation, (writing) =>
        writing.deleteFrom('providers').where('workspace_id', '=', tenant).execute(),
      );
      await process.pass(250);
      expect(process.tenants.view(foreign)).toBe(theirs);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('of which nobody says whose it is has all tenants read again', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await saving.change(undefined, (writing) => writing.deleteFrom('providers').execute());
      await process.pass(250);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('is seen by viewNow without waiting', async () => {
      const { saving, tenant, start } = await newWorld();
      const process = await start();
      expect((await process.tenants.viewNow(tenant)).saved).toEqual({
        ...nothingSaved,
        prompts: { slugs: [], found: {} },
      });
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      expect(findKey(await process.tenants.viewNow(tenant), 'main')).toBe('sk-1');
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-1');
    });

    it('is seen by who waits for a reading that had begun before it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const gate = Promise.withResolvers<void>();
      const open: TenantsOptions['sealer']['open'] = async (sealed, at) => {
        await gate.promise;
        return saving.sealer.open(sealed, at);
      };
      const process = await start({ sealer: { open } });
      const early = process.tenants.view(tenant);
      await process.settled();
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      const late = process.tenants.viewNow(tenant);
      await process.settled();
      gate.resolve();
      await early;
      expect(findKey(await late, 'main')).toBe('sk-2');
    });

    it('while a tenant is read is in what is read', async () => {
      const { store, saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      let writes = 0;
      const versions = async () => {
        const before = await store.versions();
        writes += 1;
        // Behind the version that is read first: the rows are newer than it.
        if (writes === 2) await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
        return before;
      };
      const process = await start({ store: { db: store.db, versions, watch: () => () => {} } });
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
      expect(writes).toBe(3);
    });
  });

  describe('a store that is unavailable', () => {
    it('leaves what is known, and refuses who was never read', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
      await saving.config(tenant, { slug: 'cold', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      await view.config('prod')?.text();
      process.answers = 'with an error';
      await process.pass(250);
      expect(process.tenants.status().isUnavailable).toBe(true);
      expect(process.tenants.view(tenant)).toBe(view);
      expect(await readText(view, 'prod')).toMatchObject({ api_key: 'sk-1' });
      expect(await rejection(view.config('cold')?.text())).toMatchObject(unavailable);
      expect(await rejection(process.tenants.view(other))).toMatchObject(unavailable);
      expect(await rejection(process.tenants.viewNow(tenant))).toMatchObject(unavailable);
      expect(process.tenants.view('acme' as TenantId)).toBeUndefined();
    });

    it('does not answer at all: who was served before waits half a second for a change, once', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      await process.pass(250);
      process.answers = 'never';
      const late = process.tenants.view(tenant);
      expect(late).toBeInstanceOf(Promise);
      await process.pass(500);
      expect(await late).toBe(view);
      expect(process.tenants.view(tenant)).toBe(view);
      const unread = rejection(process.tenants.view(other));
      await process.pass(5000);
      expect(await unread).toMatchObject(unavailable);
      expect(process.tenants.view(tenant)).toBe(view);
    });

    it('is followed again when it is back', async () => {
      const { saving, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      for (const answers of ['with an error', 'never'] as const) {
        process.answers = answers;
        await process.pass(250);
        await process.pass(5000);
        await saving.provider(tenant, { slug: 'main', key: answers });
        await saving.provider(other, { slug: 'main', key: answers });
        process.answers = 'truly';
        await process.pass(5000);
        await process.pass(250);
        expect(findKey(await readView(process, tenant), 'main')).toBe(answers);
        expect(findKey(await readView(process, other), 'main')).toBe(answers);
      }
    });

    it('is not served for longer than the operator allows', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start({ staleMs: 60_000 });
      const view = await readView(process, tenant);
      process.answers = 'with an error';
      await process.pass(60_000);
      expect(process.tenants.view(tenant)).toBe(view);
      await process.pass(1);
      expect(await rejection(process.tenants.view(tenant))).toMatchObject(unavailable);
      process.answers = 'truly';
      await process.pass(250);
      expect((await readView(process, tenant)).version).toBe(view.version);
    });

    it('and comes back as it was earlier is read again', async () => {
      const { store, saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await store.write(async (writing) => {
        await writing.deleteFrom('providers').execute();
        await writing.deleteFrom('tenant_versions').execute();
        await writing.updateTable('feeds').set({ version: 1 }).execute();
      });
      await process.pass(250);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('keeps a process from starting to follow', async () => {
      const { store, saving } = await newWorld();
      const process = followedTenants(store, saving.sealer);
      process.answers = 'with an error';
      expect(await rejection(process.tenants.start())).toMatchObject(unavailable);
    });
  });

  it('memory is bounded: who was not needed for longest is read again', async () => {
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
