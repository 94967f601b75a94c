import { integrationModelRoutes } from '../../../../../plugins/control/catalog/integrations/integration-routes.ts';
import { toStoredVersion } from '../../../../../plugins/control/catalog/prompts/prompt-content.ts';
import { promptStore } from '../../../../../plugins/control/catalog/prompts/prompt-store.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Saved } from '../../../../../schema/config/saved.ts';
import { type Answered, type ControlWorld, controlWorld } from '../../support/control-world.ts';
import { describedRoutes } from '../../support/described-routes.ts';

export const providerWorld = (overlay?: Saved): Promise<ControlWorld> =>
  controlWorld({
    routes: (parts) => [...integrationModelRoutes(parts), ...describedRoutes(parts)],
    ...(overlay !== undefined && { overlay }),
  });

const resources = ['providers', 'virtual_keys', 'integrations'];
const allScopes = resources.flatMap((resource) =>
  ['create', 'read', 'update', 'delete', 'list'].map((verb) => `${resource}.${verb}`),
);

/** Creates a key of a workspace, by default with all scopes of these resources. */
export const readKey = async (
  { keys, admin }: ControlWorld,
  workspace: string,
  scopes: readonly string[] = allScopes,
): Promise<string> => (await keys.create(admin, { name: 'test', workspace_id: workspace, scopes })).key;

/** Returns the status and the pointers of the problems, in order. */
export const toPlaces = ({ status, body }: Answered): readonly string[] => [
  String(status),
  ...(body.error.errors ?? []).map(({ pointer }: { readonly pointer: string }) => pointer),
];

/** Saves a config in a workspace as its only version. */
export const addConfig = (
  { store, time }: ControlWorld,
  workspace: string,
  slug: string,
  config: object,
): Promise<void> =>
  store.write(async (writing) => {
    const [id, version] = [newId(time.now), newId(time.now)];
    const times = { created_at: time.now, updated_at: time.now };
    await writing
      .insertInto('configs')
      .values({ id, workspace_id: workspace, slug, name: slug, is_default: 0, version_id: version, ...times })
      .execute();
    await writing
      .insertInto('config_versions')
      .values({
        ...{
          id: version,
          config_id: id,
          workspace_id: workspace,
          number: 1,
          text: JSON.stringify(config),
          sealed: '{}',
        },
        ...{ created_by: null, created_at: time.now },
      })
      .execute();
  });

/** Saves a prompt for a saved provider or a virtual key, with one version, which is published. */
export const addPrompt = (
  { store, time }: ControlWorld,
  workspace: string,
  { slug, virtualKey }: { readonly slug: string; readonly virtualKey: string },
): Promise<void> =>
  store.write(async (writing) => {
    const made = { workspace_id: workspace, created_at: time.now };
    const row = {
      ...made,
      id: newId(time.now),
      slug,
      name: slug,
      collection_id: null,
      published: 1,
      updated_at: time.now,
    };
    const content = toStoredVersion({ string: 'Hello!', parameters: {}, virtual_key: virtualKey }, []);
    const version = { ...made, id: newId(time.now), prompt_id: row.id, number: 1, content };
    await promptStore.insert(store, writing, { row, version: { ...version, description: null, created_by: null } });
  });
