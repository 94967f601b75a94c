import { isJsonObject, type JsonObject } from '../../schema/json.ts';
import { settingsOf } from './denote/settings.ts';

/** Fields that targets inherit, beside `override_params`. */
const inherited = [
  'request_timeout',
  'retry',
  'cb_config',
  'forward_headers',
  'custom_host',
  'strict_llmv_compliance',
  'before_request_hooks',
  'input_guardrails',
  'after_request_hooks',
  'output_guardrails',
  'override_params',
];

const withoutInherited = (config: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(config).filter(([key]) => !inherited.includes(key)));

/** The config with every inherited setting written at the leaves by hand, and none left on the groups. */
export const writeOut = (config: JsonObject, settings: JsonObject = {}): JsonObject => {
  const own = settingsOf(config, settings);
  if (!Array.isArray(config.targets)) return { ...withoutInherited(config), ...own };
  const targets = config.targets.filter(isJsonObject).map((target) => writeOut(target, own));
  return { ...withoutInherited(config), targets };
};
