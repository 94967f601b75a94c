import { toStoredVersion } from '../../../../../../plugins/control/catalog/prompts/prompt-content.ts';
import type { StoredSettings } from '../../../../../../plugins/control/kernel/records/stored-settings.ts';
import { sealLiterals } from '../../../../../../plugins/control/kernel/secrets/literals.ts';
import { newMasterKey } from '../../../../../../plugins/control/kernel/secrets/master-key.ts';
import type { SealedAt } from '../../../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer, type Sealer } from '../../../../../../plugins/control/kernel/secrets/sealer.ts';
import { newId } from '../../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store, Writing } from '../../../../../../plugins/control/kernel/store/store.ts';
import type { TenantId } from '../../../../../../plugins/sdk/exchange/exchange.ts';
import type { Json, JsonObject } from '../../../../../../schema/json/json.ts';
import { toPointer } from '../../../../../../schema/json/pointer.ts';

export interface ProviderText {
  readonly slug: string;
  readonly key?: string;
  readonly kind?: 'provider' | 'virtual-key';
  readonly settings?: JsonObject;
  readonly integration?: string;
  readonly note?: string;
  readonly expiresAt?: number;
}

/** Writes what tenants save, as the resources of the control plane do. Methods that create a record return its id. */
export interface Saving {
  readonly sealer: Sealer;
  organisation(settings?: StoredSettings): Promise<string>;
  workspace(organisation: string, settings?: StoredSettings): Promise<TenantId>;
  settings(tenant: TenantId, settings: StoredSettings): Promise<void>;
  organisationSettings(organisation: string, settings: StoredSettings): Promise<void>;
  /** Saves a provider, or saves it again under the same slug. */
  provider(tenant: TenantId, text: ProviderText): Promise<string>;
  integration(
    organisation: string,
    text: { slug: string; key: string; workspaces?: readonly string[] },
  ): Promise<string>;
  guardrail(
    of: { readonly organisation: string; readonly workspace?: TenantId },
    text: { slug: string; secret: Json },
  ): Promise<string>;
  /** Saves a config with a literal credential. */
  config(tenant: TenantId, text: { slug: string; key: string; isDefault?: boolean }): Promise<string>;
  /** Saves another version of a prompt, with a text such as `Version 1: {{x}}`. The first version is published. */
  prompt(tenant: TenantId, slug: string): Promise<string>;
  remove(table: 'providers' | 'configs', tenant: TenantId, slug: string): Promise<void>;
  /** Runs a change and announces the tenant that it affects. */
  change(tenant: string | undefined, run: (writing: Writing) => Promise<unknown>): Promise<void>;
}

const times = { created_at: 1, updated_at: 1 };

export const savingIn = async (store: Store, sealer?: Sealer): Promise<Saving> => {
  const seals = sealer ?? (await createSealer({ store, masterKey: newMasterKey() }));
  const fresh = (): string => newId(Date.now());

  const change: Saving['change'] = (tenant, run) =>
    store.write(async (writing) => {
      await run(writing);
      await store.bump(writing, 'plans', tenant);
    });

  const readId = async (table: 'providers' | 'configs' | 'prompts', tenant: TenantId, slug: string) => {
    const query = store.db.selectFrom(table).select('id').where('workspace_id', '=', tenant).where('slug', '=', slug);
    return (await query.executeTakeFirst())?.id;
  };

  const sealCredential = async (key: string, at: Omit<SealedAt, 'field'>): Promise<string> =>
    JSON.stringify({ api_key: await seals.seal(key, { ...at, field: 'credential/api_key' }) });

  return {
    sealer: seals,
    change,
    async organisation(settings = {}) {
      const id = fresh();
      const row = { id, name: 'o', settings: JSON.stringify(settings), ...times };
      await change(id, (writing) => writing.insertInto('organisations').values(row).execute());
      return id;
    },
    async workspace(organisation_id, settings = {}) {
      const id = fresh();
      const row = { id, organisation_id, slug: id, name: 'w', settings: JSON.stringify(settings), ...times };
      await change(id, (writing) => writing.insertInto('workspaces').values(row).execute());
      return id as TenantId;
    },
    settings: (tenant, settings) =>
      change(tenant, (writing) =>
        writing
          .updateTable('workspaces')
          .set({ settings: JSON.stringify(settings) })
          .where('id', '=', tenant)
          .execute(),
      ),
    organisationSettings: (organisation, settings) =>
      change(organisation, (writing) =>
        writing
          .updateTable('organisations')
          .set({ settings: JSON.stringify(settings) })
          .where('id', '=', organisation)
          .execute(),
      ),
    async provider(tenant, { slug, key, kind = 'provider', settings = {}, integration, note, expiresAt }) {
      const before = await readId('providers', tenant, slug);
      const id = before ?? fresh();
      const row = {
        ...{ id, workspace_id: tenant, slug, name: slug, kind, integration_id: integration ?? null },
        ...{
          provider: 'openai',
          settings: JSON.stringify(settings),
          origins: '["https://api.openai.com"]',
          note: note ?? null,
        },
        credential: key === undefined ? null : await sealCredential(key, { tenant, table: 'providers', id }),
        ...{ expires_at: expiresAt ?? null, status: 'active' as const, ...times },
      };
      await change(tenant, async (writing) => {
        await writing.deleteFrom('providers').where('id', '=', id).execute();
        await writing.insertInto('providers').values(row).execute();
      });
      return id;
    },
    async integration(organisation_id, { slug, key, workspaces }) {
      const id = fresh();
      const row = {
        ...{ id, organisation_id, slug, name: slug, provider: 'openai', settings: '{"llmv_organization":"acme"}' },
        credential: await sealCredential(key, { tenant: organisation_id, table: 'integrations', id }),
        ...{ origins: '["https://api.openai.com"]', models: '[]', allow_all_models: 1 as const },
        ...{ workspaces: workspaces === undefined ? null : JSON.stringify(workspaces), ...times },
      };
      await change(organisation_id, (writing) => writing.insertInto('integrations').values(row).execute());
      return id;
    },
    async guardrail({ organisation: organisation_id, workspace }, { slug, secret }) {
      const id = fresh();
      const at = { tenant: workspace ?? organisation_id, table: 'guardrails', id, field: 'checks' };
      const value = [{ id: 'acme.ask', parameters: { token: secret, topic: slug } }];
      const pointers = [toPointer(['0', 'parameters', 'token'])];
      const { text, sealed } = await sealLiterals(seals, { value, pointers, at });
      const row = {
        ...{ id, organisation_id, workspace_id: workspace ?? null, slug, name: slug, checks: text },
        ...{ actions: '{"deny":true}', sealed: JSON.stringify(sealed), ...times },
      };
      await change(workspace ?? organisation_id, (writing) => writing.insertInto('guardrails').values(row).execute());
      return id;
    },
    async config(tenant, { slug, key, isDefault = false }) {
      const before = await readId('configs', tenant, slug);
      const [id, version_id] = [before ?? fresh(), fresh()];
      const at = { tenant, table: 'config_versions', id: version_id, field: 'text' };
      const value = { provider: 'openai', api_key: key };
      const { text, sealed } = await sealLiterals(seals, { value, pointers: [toPointer(['api_key'])], at });
      await change(tenant, async (writing) => {
        if (before === undefined)
          await writing
            .insertInto('configs')
            .values({ id, workspace_id: tenant, slug, name: slug, is_default: isDefault ? 1 : 0, version_id, ...times })
            .execute();
        else await writing.updateTable('configs').set({ version_id }).where('id', '=', id).execute();
        const { numbers } = await writing
          .selectFrom('config_versions')
          .select(({ fn }) => fn.countAll<number>().as('numbers'))
          .where('config_id', '=', id)
          .executeTakeFirstOrThrow();
        await writing
          .insertInto('config_versions')
          .values({
            ...{ id: version_id, config_id: id, workspace_id: tenant, number: Number(numbers) + 1, text },
            ...{ sealed: JSON.stringify(sealed), created_by: null, created_at: 1 },
          })
          .execute();
      });
      return id;
    },
    async prompt(tenant, slug) {
      const id = (await readId('prompts', tenant, slug)) ?? fresh();
      await change(tenant, async (writing) => {
        const published = await writing
          .selectFrom('prompt_versions')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('prompt_id', '=', id)
          .executeTakeFirstOrThrow();
        const number = Number(published.count) + 1;
        if (number === 1)
          await writing
            .insertInto('prompts')
            .values({ id, workspace_id: tenant, slug, name: slug, collection_id: null, published: 1, ...times })
            .execute();
        await writing
          .insertInto('prompt_versions')
          .values({
            ...{ id: fresh(), prompt_id: id, workspace_id: tenant, number, description: null },
            content: toStoredVersion({ string: `Version ${number}: {{x}}`, parameters: {}, virtual_key: '@main' }, []),
            ...{ created_by: null, created_at: 1 },
          })
          .execute();
      });
      return id;
    },
    remove: (table, tenant, slug) =>
      change(tenant, (writing) =>
        writing.deleteFrom(table).where('workspace_id', '=', tenant).where('slug', '=', slug).execute(),
      ),
  };
};
