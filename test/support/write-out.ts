import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import { ownOf, settingsOf } from './denote/settings.ts';

/** The config with every inherited setting written at the leaves by hand, and none left on the groups. */
export const writeOut = (config: JsonObject, inherited: JsonObject = {}): JsonObject => {
  const settings = settingsOf(config, inherited);
  if (!Array.isArray(config.targets)) return { ...ownOf(config), ...settings };
  const targets = config.targets.filter(isJsonObject).map((target) => writeOut(target, settings));
  return { ...ownOf(config), targets };
};
