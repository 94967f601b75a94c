import { errorText } from '../../schema/error-text.ts';
import type { JsonObject } from '../../schema/json.ts';
import { memberNames } from '../sdk/parameters/options-of.ts';
import { savedSettingsSchema } from '../sdk/parameters/provider-settings.ts';
import { schemaFault } from '../sdk/parameters/schema-fault.ts';
import type { Provider } from '../sdk/provider.ts';

/** The faults of a provider's own settings, and of those that it is tested with. */
export const settingsFaults = (provider: Provider, settings: JsonObject): readonly string[] => {
  const { ownSettings = {}, credentialFields = ['api_key'] } = provider;
  const own = memberNames(ownSettings);
  const taken = own.filter((name) => name === 'custom_host' || credentialFields.includes(name));
  if (taken.length > 0)
    return taken.map((name) => `ownSettings has "${name}", which is not a setting of the provider's own`);
  try {
    const { judge, keysAt } = savedSettingsSchema(provider);
    return judge(settings).errors.map((error) => `the settings of the sample: ${schemaFault(error, keysAt).message}`);
  } catch (error) {
    return [`ownSettings is not a valid schema: ${errorText(error)}`];
  }
};
