import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { basePathOf, credentialOf, credentialSamples, settingsOf } from './targets.ts';

const toVariable = (field: string): string => `SAMPLE_${field.toUpperCase()}`;

/** The environment variables that hold the secrets. */
export const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(credentialSamples).map(([field, secret]) => [toVariable(field), secret]),
);

/** Returns the provider's name in the gateway file. */
export const toSlug = ({ id }: Provider): string => `its-${id.replaceAll('.', '-')}`;

const toSaved = (provider: Provider, origin: string): JsonObject => ({
  provider: provider.id,
  credential: Object.fromEntries(
    Object.keys(credentialOf(provider)).map((field) => [field, `\${env:${toVariable(field)}}`]),
  ),
  settings: {
    ...settingsOf(provider),
    ...(provider.inProcess === undefined ? { custom_host: origin + basePathOf(provider) } : {}),
  },
});

/** Returns the `providers` of a gateway file: a target for each row, all at the same origin. */
export const savedProviders = (providers: readonly Provider[], origin: string): JsonObject =>
  Object.fromEntries(providers.map((provider) => [toSlug(provider), toSaved(provider, origin)]));
