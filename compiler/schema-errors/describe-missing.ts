import { isJsonObject, type Json } from '../../schema/json/json.ts';

/** A text that states what an incomplete config lacks, and what to add. */
export interface MissingMessage {
  readonly missing: string;
  readonly suggestion: string;
}

/** Describes the member that a config needs to be valid; `undefined` for a value that is not a config at all. */
export const describeMissing = (config: Json | undefined): MissingMessage | undefined => {
  if (!isJsonObject(config)) return undefined;
  const has = (key: string): boolean => Object.hasOwn(config, key);
  // For other strategies this is reported as `missing-targets`.
  if (has('strategy')) return { missing: '"targets"', suggestion: 'Add "targets" with the target to call.' };
  const key = ['api_key', 'Authorization', 'keys'].find(has);
  if (key !== undefined)
    return {
      missing: '"provider"',
      suggestion: `Add the "provider" that the "${key}" ${key === 'keys' ? 'belong' : 'belongs'} to, such as "openai".`,
    };
  if (has('custom_host'))
    return { missing: '"provider"', suggestion: 'Add the "provider" whose API the host speaks, such as "openai".' };
  const params = config.override_params;
  if (isJsonObject(params) && typeof params.model === 'string')
    return {
      missing: '"provider"',
      suggestion: 'Add the "provider" that has the model, or write the model as "@slug/model" of a saved provider.',
    };
  return {
    missing: '"provider"',
    suggestion: 'Add a "provider" with its credential, a "virtual_key", or a "strategy" with "targets".',
  };
};
