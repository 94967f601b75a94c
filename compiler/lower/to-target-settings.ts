import { type TargetSettings, targetSettingRows } from '../../schema/plan/target-settings.ts';
import { inheritedRows } from '../resolve/tree/inheritance.ts';
import type { Settings } from '../resolve/tree/ir-node.ts';

const rows = targetSettingRows.map(({ name, default: fallback }) => ({
  name,
  fallback,
  fields: inheritedRows.filter(({ becomes }) => becomes === name).map(({ field }) => field),
}));

/** The settings of a target that are as the config writes them, or their defaults. */
export const toTargetSettings = (settings: Settings): TargetSettings => {
  const given = rows.flatMap(({ name, fallback, fields }) => {
    const value = fields.map((field) => settings[field]?.value).find((each) => each !== undefined) ?? fallback;
    return value === undefined ? [] : [[name, value]];
  });
  // A row of `inheritance` becomes only a setting that has the type of the field.
  return Object.fromEntries(given) as TargetSettings;
};
