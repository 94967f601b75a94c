import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { fromPointer } from '../../../../schema/json/pointer.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { ControlParts, Overlay } from '../../kernel/resource/control-parts.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import type { StoredSettings } from '../identity/places/stored-settings.ts';
import { metadataFaults } from '../keys/key-parts.ts';
import { hasConfig } from '../keys/key-store.ts';

const guardrailMembers = ['input_guardrails', 'output_guardrails'] as const;

/**
 * Why guardrails that settings name cannot run by default, though they are there: a check of answers alone cannot validate
 * requests, and a plugin may be gone. Each request would be refused for it.
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

type OrNull<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> | null };

/** What changes of settings: what is absent stays, what is null is taken away. */
export type SettingsChange = OrNull<StoredSettings>;

/** What settings name, and whether it is there. */
export interface SettingsFacts {
  hasConfig(name: string): Promise<boolean>;
  /** Those of the names that no guardrail has, by slug or id. */
  missingGuardrails(names: readonly string[]): Promise<readonly string[]>;
}

const configFaults = (name: string): Problem =>
  problem(
    ['settings', 'config'],
    `There is no config ${JSON.stringify(name)}.`,
    'Write the id or the slug of a config.',
  );

const guardrailFaults = (
  member: 'input_guardrails' | 'output_guardrails',
  names: readonly string[],
  missing: readonly string[],
): readonly Problem[] =>
  names.flatMap((name, at) =>
    missing.includes(name)
      ? [
          problem(
            ['settings', member, at],
            `There is no guardrail ${JSON.stringify(name)} that can be used here.`,
            'Write the slug or the id of one that GET /v1/guardrails lists.',
          ),
        ]
      : [],
  );

/** All that is wrong with settings but for tokens: what they name must be there. */
export const settingsFaults = async (
  { metadata, config, input_guardrails, output_guardrails }: SettingsChange,
  facts: SettingsFacts,
): Promise<readonly Problem[]> => {
  const inputs = input_guardrails ?? [];
  const outputs = output_guardrails ?? [];
  const names = [...new Set([...inputs, ...outputs])];
  const missing = names.length === 0 ? [] : await facts.missingGuardrails(names);
  const isUnknown = config !== undefined && config !== null && !(await facts.hasConfig(config));
  return [
    ...metadataFaults(['settings', 'metadata'], metadata ?? {}),
    ...(isUnknown ? [configFaults(config)] : []),
    ...guardrailFaults('input_guardrails', inputs, missing),
    ...guardrailFaults('output_guardrails', outputs, missing),
  ];
};

const members = [
  'metadata',
  'config',
  'input_guardrails',
  'output_guardrails',
  'judged_turns',
  'jwt',
  'keep_responses',
  'keep_responses_days',
] as const;

/** The settings after a change, as they are stored and shown. */
export const changedSettings = (before: StoredSettings, change: SettingsChange): JsonObject => {
  const after: Record<string, Json> = {};
  for (const name of members) {
    const value = change[name] === undefined ? before[name] : change[name];
    // What bodies and the store have is JSON.
    if (value !== undefined && value !== null) after[name] = value as Json;
  }
  return after;
};
