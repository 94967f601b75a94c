import type { JsonObject } from '../../../../schema/json/json.ts';
import { fromPointer } from '../../../../schema/json/pointer.ts';
import type { Reading } from '../../kernel/records/records.ts';
import type { StoredSettings } from '../../kernel/records/stored-settings.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { ControlParts, Overlay } from '../../kernel/resource/control-parts.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { GuardrailRow, OrganisationRow } from '../../kernel/store/tables.ts';
import { metadataErrors } from '../keys/key-parts.ts';
import { hasConfig, timeOfChange } from '../keys/key-store.ts';

export const readOrganisation = (db: Reading, id: string): Promise<OrganisationRow> =>
  db.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Changes an organisation, or notes that one of its workspaces has changed, and notifies the processes that follow either. */
export const changeOrganisation = async (
  store: Store,
  writing: Writing,
  {
    id,
    change: { now, ...change },
  }: {
    readonly id: string;
    /** `now` is in milliseconds since the epoch. */
    readonly change: Partial<Pick<OrganisationRow, 'name' | 'settings'>> & { readonly now: number };
  },
): Promise<void> => {
  const updated_at = await timeOfChange(writing, 'organisations', now);
  await writing
    .updateTable('organisations')
    .set({ ...change, updated_at })
    .where('id', '=', id)
    .execute();
  await store.bump(writing, 'keys');
};

/** Returns the settings of the other organisations that accept tokens. */
export const otherJwtSettings = async (db: Reading, id: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('organisations')
    .select('settings')
    .where('id', '!=', id)
    .where('settings', 'like', '%"jwt":%')
    .execute();
  return rows.map(({ settings }) => settings);
};

const guardrailMembers = ['input_guardrails', 'output_guardrails'] as const;

/**
 * Explains why existing guardrails that settings name cannot run by default: a check for responses only cannot validate requests,
 * and a plugin may have been removed. Every request would be refused because of them.
 */
export const validateDefaults = async (
  { store, compile, toSavedGuardrails }: Pick<ControlParts, 'store' | 'compile' | 'toSavedGuardrails'>,
  place: SettingsPlace,
  settings: SettingsChange,
): Promise<readonly Problem[]> => {
  const names = [...new Set(guardrailMembers.flatMap((member) => settings[member] ?? []))];
  if (names.length === 0) return [];
  const { saved } = place.overlay;
  const rows = await namedGuardrailRows(store.db, place, names);
  const guardrails = { ...saved.guardrails, ...toSavedGuardrails(rows) };
  const found = (member: (typeof guardrailMembers)[number]) =>
    (settings[member] ?? []).flatMap((name, at) => (Object.hasOwn(guardrails, name) ? [{ name, at }] : []));
  const lists = { input_guardrails: found('input_guardrails'), output_guardrails: found('output_guardrails') };
  const written = guardrailMembers.flatMap((member) =>
    lists[member].length === 0 ? [] : [[member, lists[member].map(({ name }) => name)] as const],
  );
  if (written.length === 0) return [];
  const { diagnostics } = await compile(JSON.stringify(Object.fromEntries(written)), {
    tenant: place.workspace,
    saved: { ...saved, guardrails },
    name: 'default guardrails',
  });
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ pointer, message, hint }) => {
      const [first, index] = fromPointer(pointer);
      const member = guardrailMembers.find((each) => each === first);
      const item = member && lists[member][Number(index)];
      if (member === undefined || item === undefined) return [];
      const why = `The guardrail ${JSON.stringify(item.name)} cannot run by default here: ${message}`;
      return [problem(['settings', member, item.at], why, hint ?? 'Name another guardrail, or change this one.')];
    });
};

/** Where settings apply. */
export interface SettingsPlace {
  readonly overlay: Overlay;
  readonly organisation: string;
  /** The workspace whose configs can be named. */
  readonly workspace: string;
  /** Whether the guardrails of the workspace can be named too, in addition to those of the organisation. */
  readonly ofWorkspace: boolean;
}

/** Returns the guardrails of the store that have one of some names as their slug or id, where settings apply. */
const namedGuardrailRows = async (
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

type OrNull<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> | null };

/** A change of settings: absent members stay as they are, and null removes one. */
export type SettingsChange = OrNull<StoredSettings>;

/**
 * Finds all errors of settings except those of tokens. What the settings name must exist, in the store or in the gateway's files.
 */
export const settingsErrors = async (
  db: Reading,
  place: SettingsPlace,
  { metadata, config, input_guardrails, output_guardrails }: SettingsChange,
): Promise<readonly Problem[]> => {
  const lists = { input_guardrails: input_guardrails ?? [], output_guardrails: output_guardrails ?? [] };
  const rows = await namedGuardrailRows(db, place, Object.values(lists).flat());
  const known = new Set([
    ...Object.keys(place.overlay.saved.guardrails),
    ...rows.flatMap(({ id, slug }) => [id, slug]),
  ]);
  const hasNoConfig = typeof config === 'string' && !(await hasConfig(db, { ...place, name: config }));
  const unknownConfig = `There is no config ${JSON.stringify(config)}.`;
  return [
    ...metadataErrors(['settings', 'metadata'], metadata ?? {}),
    ...(hasNoConfig ? [problem(['settings', 'config'], unknownConfig, 'Write the id or the slug of a config.')] : []),
    ...guardrailMembers.flatMap((member) =>
      lists[member].flatMap((name, at) =>
        known.has(name)
          ? []
          : [
              problem(
                ['settings', member, at],
                `There is no guardrail ${JSON.stringify(name)} that can be used here.`,
                'Write the slug or the id of one that GET /v1/guardrails lists.',
              ),
            ],
      ),
    ),
  ];
};

const members = [
  'metadata',
  'config',
  'input_guardrails',
  'output_guardrails',
  'judged_turns',
  'cache_max_age',
  'jwt',
  'keep_responses',
  'keep_responses_days',
] as const;

/** Returns the settings after a change, as they are stored and shown. */
export const changedSettings = (before: StoredSettings, change: SettingsChange): JsonObject => {
  const after = members.map((name) => [name, change[name] === undefined ? before[name] : change[name]] as const);
  // Both the body and the store contain JSON.
  return Object.fromEntries(after.filter(([, value]) => value !== undefined && value !== null)) as JsonObject;
};
