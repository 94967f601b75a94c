import type { Reading } from '../../kernel/records/records.ts';
import type { Overlay } from '../../kernel/resource/control-parts.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { hasConfig } from '../keys/config-finder.ts';
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

/** The guardrails of the store that some names are the slugs or ids of, where settings hold. */
export const namedGuardrailRows = async (
  db: Reading,
  { organisation, workspace, ofWorkspace }: SettingsPlace,
  names: readonly string[],
): Promise<readonly GuardrailRow[]> =>
  names.length === 0
    ? []
    : await db
        .selectFrom('guardrails')
        .selectAll()
        .where('organisation_id', '=', organisation)
        .where((where) =>
          where.or([
            where('workspace_id', 'is', null),
            ...(ofWorkspace ? [where('workspace_id', '=', workspace)] : []),
          ]),
        )
        .where((where) => where.or([where('id', 'in', names), where('slug', 'in', names)]))
        .execute();

/** Looks for what settings name: in the store, and in the gateway's files. */
export const settingsFacts = (db: Reading, place: SettingsPlace): SettingsFacts => ({
  hasConfig: (name) => hasConfig(db, { ...place, name }),
  async missingGuardrails(names) {
    const { guardrails } = place.overlay.saved;
    const rows = await namedGuardrailRows(db, place, names);
    const stored = new Set(rows.flatMap(({ id, slug }) => [id, slug]));
    return names.filter((name) => !stored.has(name) && !Object.hasOwn(guardrails, name));
  },
});
