import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { StoredSettings } from '../identity/places/stored-settings.ts';
import { metadataFaults } from '../keys/key-parts.ts';

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
