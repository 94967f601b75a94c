import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { copiedSettings, readOwn, readSettings } from '../denote/settings.ts';

/** Returns a mirror whose target has its inherited settings written out. */
const mirrorWrittenOut = ({ mirror }: JsonObject, settings: JsonObject): JsonObject =>
  isJsonObject(mirror) && isJsonObject(mirror.target)
    ? { mirror: { ...mirror, target: writeOut(mirror.target, copiedSettings(settings)) } }
    : {};

/** Returns the config with every inherited setting written out at the leaves, and none left on the groups. */
export const writeOut = (config: JsonObject, inherited: JsonObject = {}): JsonObject => {
  const settings = readSettings(config, inherited);
  const own = { ...readOwn(config), ...mirrorWrittenOut(config, settings) };
  if (!Array.isArray(config.targets)) return { ...own, ...settings };
  const targets = config.targets.filter(isJsonObject).map((target) => writeOut(target, settings));
  return { ...own, targets };
};
