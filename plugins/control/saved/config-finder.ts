import type { ControlParts } from '../control-parts.ts';

/** Finds configs by name. */
export type ConfigFinder = (workspace: string, name: string) => Promise<boolean>;

/** Whether a workspace has a config, by id or slug, or the gateway's files have one of that name. */
export const configFinder =
  ({ store, overlay }: Pick<ControlParts, 'store' | 'overlay'>): ConfigFinder =>
  async (workspace, name) => {
    if ([...overlay.configNames()].includes(name)) return true;
    const row = await store.db
      .selectFrom('configs')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where((where) => where.or({ id: name, slug: name }))
      .executeTakeFirst();
    return row !== undefined;
  };
