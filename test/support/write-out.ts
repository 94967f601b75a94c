import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import { readOwn, readSettings } from './denote/settings.ts';

/** The config with every inherited setting written at the leaves by hand, and none left on the groups. */
export const writeOut = (config: JsonObject, inherited: JsonObject = {}): JsonObject => {
  const settings = readSettings(config, inherited);
  if (!Array.isArray(config.targets)) return { ...readOwn(config), ...settings };
  const targets = config.targets.filter(isJsonObject).map((target) => writeOut(target, settings));
  return { ...readOwn(config), targets };
};
