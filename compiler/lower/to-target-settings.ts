import { type TargetSettings, targetSettingRows } from '../../schema/plan/target-settings.ts';
import { inheritedRows } from '../resolve/tree/inheritance.ts';
import type { Settings } from '../resolve/tree/ir-node.ts';

const rows = targetSettingRows.map(({ name, default: fallback }) => ({
  name,
  fallback,
  fields: inheritedRows.filter(({ becomes }) => becomes === name).map(({ field }) => field),
}));

/** Returns the settings of a target as the config states them, or their defaults. */
export const toTargetSettings = (settings: Settings): TargetSettings => {
  const given = rows.flatMap(({ name, fallback, fields }) => {
    const value = fields.map((field) => settings[field]?.value).find((each) => each !== undefined) ?? fallback;
    return value === undefined ? [] : [[name, value]];
  });
  // A row of `inheritance` can become only a setting with the type of the field.
  return Object.fromEntries(given) as TargetSettings;
};
