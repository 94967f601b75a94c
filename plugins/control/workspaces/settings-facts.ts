import type { Overlay } from '../control-parts.ts';
import { hasConfig } from '../saved/config-finder.ts';
import type { Writing } from '../store/store.ts';
import type { SettingsFacts } from './settings-change.ts';

/** Where settings hold. */
export interface SettingsPlace {
  readonly overlay: Overlay;
  readonly organisation: string;
  /** The workspace whose configs can be named. */
  readonly workspace: string;
  /** Whether its guardrails can be named too, beside those of the organisation. */
  readonly ofWorkspace: boolean;
}

const storedGuardrails = async (
  db: Pick<Writing, 'selectFrom'>,
  { organisation, workspace, ofWorkspace }: SettingsPlace,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('guardrails')
    .select(['id', 'slug'])
    .where('organisation_id', '=', organisation)
    .where((where) =>
      where.or([where('workspace_id', 'is', null), ...(ofWorkspace ? [where('workspace_id', '=', workspace)] : [])]),
    )
    .where((where) => where.or([where('id', 'in', names), where('slug', 'in', names)]))
    .execute();
  return new Set(rows.flatMap(({ id, slug }) => [id, slug]));
};

/** Looks for what settings name: in the store, and in the gateway's files. */
export const settingsFacts = (db: Pick<Writing, 'selectFrom'>, place: SettingsPlace): SettingsFacts => ({
  hasConfig: (name) => hasConfig(db, { ...place, name }),
  async missingGuardrails(names) {
    const { guardrails } = place.overlay.saved;
    const stored = await storedGuardrails(db, place, names);
    return names.filter((name) => !stored.has(name) && !Object.hasOwn(guardrails, name));
  },
});
