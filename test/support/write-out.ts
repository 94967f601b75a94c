import { isJsonObject, type JsonObject } from '../../schema/json/json.ts';
import { copiedSettings, readOwn, readSettings } from './denote/settings.ts';

/** A mirror whose target has what it inherits written out. */
const mirrorWrittenOut = ({ mirror }: JsonObject, settings: JsonObject): JsonObject =>
  isJsonObject(mirror) && isJsonObject(mirror.target)
    ? { mirror: { ...mirror, target: writeOut(mirror.target, copiedSettings(settings)) } }
    : {};

/** The config with every inherited setting written at the leaves by hand, and none left on the groups. */
export const writeOut = (config: JsonObject, inherited: JsonObject = {}): JsonObject => {
  const settings = readSettings(config, inherited);
  const own = { ...readOwn(config), ...mirrorWrittenOut(config, settings) };
  if (!Array.isArray(config.targets)) return { ...own, ...settings };
  const targets = config.targets.filter(isJsonObject).map((target) => writeOut(target, settings));
  return { ...own, targets };
};
