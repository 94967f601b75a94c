import type { JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { schemaError } from '../../sdk/parameters/schema-error.ts';
import { memberNames } from '../../sdk/parameters/to-options.ts';
import type { Provider } from '../../sdk/provider/provider.ts';
import { savedSettingsSchema } from '../../sdk/provider/provider-settings.ts';

/** Returns the errors in a provider's own settings, and in those that it is tested with. */
export const settingsErrors = (provider: Provider, settings: JsonObject): readonly string[] => {
  const { ownSettings = {}, credentialFields = ['api_key'] } = provider;
  const own = memberNames(ownSettings);
  const taken = own.filter((name) => name === 'custom_host' || credentialFields.includes(name));
  if (taken.length > 0)
    return taken.map((name) => `ownSettings has "${name}", which is not a setting of the provider's own`);
  try {
    const schema = savedSettingsSchema(provider);
    return schema
      .validate(settings)
      .errors.map((error) => `the settings of the sample: ${schemaError(error, schema).message}`);
  } catch (error) {
    return [`ownSettings is not a valid schema: ${errorText(error)}`];
  }
};
