import { configRoutes } from '../../../../plugins/control/catalog/configs/config-routes.ts';
import { guardrails } from '../../../../plugins/control/catalog/guardrails/guardrails.ts';
import { createTenants } from '../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import type { AllParts } from '../../../../plugins/control/control-routes.ts';
import { resourceRoutes } from '../../../../plugins/control/kernel/resource/resource-routes.ts';
import type { TenantView } from '../../../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, pass } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import type { Saved } from '../../../../schema/config/saved.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { type ControlWorld, controlWorld } from './control-world.ts';

/** A check that calls another service with a secret. */
const asker = defineGuardrail({
  id: 'acme.ask',
  parameters: {
    type: 'object',
    required: ['token'],
    properties: { host: { type: 'string' }, token: { type: 'string', format: 'secret' } },
  },
  create: () => () => pass(),
});

const answersOnly = defineGuardrail({
  id: 'acme.answers',
  phases: ['output'],
  parameters: { type: 'object' },
  create: () => () => pass(),
});

const overlay: Saved = {
  providers: {},
  virtualKeys: {},
  guardrails: { 'of-the-file': { 'default.contains': { words: ['x'], operator: 'none' } } },
};

/** A world with the routes of configs and guardrails. */
export interface SavedWorld extends ControlWorld {
  /** Returns the current view of a workspace. */
  readView(workspace: string): Promise<TenantView>;
  /** Returns a config of the default workspace in the form that serves requests. */
  servedConfig(name: string): Promise<Json>;
  /** Creates a workspace with a key that has every scope in it. */
  newWorkspace(slug: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Returns everything that the store contains of saved records, as text. */
  stored(): Promise<string>;
}

export const savedWorld = async (): Promise<SavedWorld> => {
  let whole: AllParts | undefined;
  const world = await controlWorld({
    overlay,
    plugins: [definePlugin({ name: 'acme', guardrails: [asker, answersOnly] })],
    routes: (parts) => {
      const tenants = createTenants({ ...parts, clock: systemClock });
      whole = {
        ...parts,
        overlay: { ...parts.overlay, configNames: () => ['file-config'] },
        readView: (tenant) => tenants.viewNow(tenant),
      };
      return [...configRoutes(whole), ...resourceRoutes(guardrails, whole)];
    },
  });
  const { store, keys, admin, addWorkspace } = world;
  const parts = whole;
  if (parts === undefined) throw new Error('Nothing is served.');
  const readView = (workspace: string): Promise<TenantView> => parts.readView(workspace as TenantId);
  return {
    ...world,
    parts,
    readView,
    servedConfig: async (name) => JSON.parse((await (await readView(admin.tenant)).config(name)?.text()) ?? 'null'),
    async newWorkspace(slug) {
      const id = await addWorkspace(slug);
      const scopes = [...(admin.scopes ?? [])];
      const body = { name: slug, kind: 'workspace-service', workspace_id: id, scopes } as const;
      const { key } = await keys.create(admin, body);
      return { id, key };
    },
    async stored() {
      const tables = ['configs', 'config_versions', 'guardrails'] as const;
      const rows = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
      return JSON.stringify(rows);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
};
