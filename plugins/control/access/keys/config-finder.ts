import type { Reading } from '../../kernel/records/records.ts';
import type { ControlParts, Overlay } from '../../kernel/resource/control-parts.ts';

export interface NamedConfig {
  readonly overlay: Overlay;
  readonly workspace: string;
  readonly name: string;
}

/** Whether a workspace has a config, by id or slug, or the gateway's files have one of that name. */
export const hasConfig = async (db: Reading, { overlay, workspace, name }: NamedConfig): Promise<boolean> => {
  if ([...overlay.configNames()].includes(name)) return true;
  const row = await db
    .selectFrom('configs')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where((where) => where.or({ id: name, slug: name }))
    .executeTakeFirst();
  return row !== undefined;
};

/** Looks for configs in what is given to it: a transaction, or the store. */
export const configFinder =
  ({ overlay }: Pick<ControlParts, 'overlay'>): ((db: Reading, workspace: string, name: string) => Promise<boolean>) =>
  (db, workspace, name) =>
    hasConfig(db, { overlay, workspace, name });
