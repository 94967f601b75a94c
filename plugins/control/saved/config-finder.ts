import type { ControlParts, Overlay } from '../control-parts.ts';
import type { Writing } from '../store/store.ts';

export interface NamedConfig {
  readonly overlay: Overlay;
  readonly workspace: string;
  readonly name: string;
}

/** Whether a workspace has a config, by id or slug, or the gateway's files have one of that name. */
export const hasConfig = async (
  db: Pick<Writing, 'selectFrom'>,
  { overlay, workspace, name }: NamedConfig,
): Promise<boolean> => {
  if ([...overlay.configNames()].includes(name)) return true;
  const row = await db
    .selectFrom('configs')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where((where) => where.or({ id: name, slug: name }))
    .executeTakeFirst();
  return row !== undefined;
};

/** Looks for configs outside of any transaction. */
export const configFinder =
  ({
    store,
    overlay,
  }: Pick<ControlParts, 'store' | 'overlay'>): ((workspace: string, name: string) => Promise<boolean>) =>
  (workspace, name) =>
    hasConfig(store.db, { overlay, workspace, name });
