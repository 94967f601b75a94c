import { GatewayError } from '../../../schema/errors/errors.ts';
import { isTexts, type JsonObject } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import type { RawHeaders } from '../http/http.ts';
import { type CompiledSchema, compileSchema } from '../parameters/compile-schema.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import { schemaCheck } from '../parameters/schema-check.ts';
import { memberNames } from '../parameters/to-options.ts';
import type { Credential, Provider } from './provider.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The settings that every saved provider accepts. */
const common: { readonly [name: string]: ParameterSchema } = {
  custom_host: { type: 'string', description: "Replaces the provider's base URL." },
  unknown_ids: {
    type: 'string',
    enum: ['allow', 'refuse'],
    description: 'Whether files, batches and jobs that were not created through the gateway can be accessed.',
  },
};

const schemas = new WeakMap<Provider, CompiledSchema>();

/** Returns the schema for `settings` of a saved provider: the provider's own settings, and the config fields that it reads. */
export const describeSettings = ({ ownSettings, settings = [] }: Provider): ParameterSchema => {
  // The types of config fields are defined by the schema of configs.
  const fields = Object.fromEntries(settings.map((field): [string, ParameterSchema] => [field, {}]));
  return { type: 'object', ...ownSettings, properties: { ...fields, ...ownSettings?.properties, ...common } };
};

/** Returns the compiled schema for `settings` of a saved provider. */
export const savedSettingsSchema = (provider: Provider): CompiledSchema => {
  const known = schemas.get(provider);
  if (known !== undefined) return known;
  const made = compileSchema(describeSettings(provider));
  schemas.set(provider, made);
  return made;
};

/** Settings with the defaults of the provider's own settings, or why the provider cannot be used with them. */
export type FilledSettings =
  | { readonly kind: 'filled'; readonly settings: JsonObject }
  | { readonly kind: 'errors'; readonly errors: readonly string[] };

/** Fills in the defaults of a provider's own settings. Other settings stay unchanged. */
export const fillSettings = ({ ownSettings }: Provider, settings: JsonObject): FilledSettings => {
  if (ownSettings === undefined) return { kind: 'filled', settings };
  const names = new Set(memberNames(ownSettings));
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name)));
  const verdict = schemaCheck(ownSettings, own);
  if (verdict.kind === 'errors') return { kind: 'errors', errors: verdict.errors.map(({ message }) => message) };
  return { kind: 'filled', settings: { ...settings, ...(verdict.value as JsonObject) } };
};

/** The same, for callers that need not report errors: invalid settings are returned unchanged. */
export const filledSettings = (provider: Provider, settings: JsonObject): JsonObject => {
  const found = fillSettings(provider, settings);
  return found.kind === 'filled' ? found.settings : settings;
};

/** Returns whether a value is a list of alternating names and values, as `headers` of a provider must return. */
export const areHeaders = (value: unknown): value is RawHeaders => isTexts(value) && value.length % 2 === 0;

const callHeaders = (provider: Provider, credential: Credential, settings: JsonObject): unknown => {
  try {
    return provider.headers(credential, settings);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const why = withoutSecrets(errorText(error), credential);
    throw new Error(`"headers" of the provider "${provider.id}" throws: ${toSentence(why)}`, { cause: error });
  }
};

/** Removes headers without a value, which a provider returns if it builds a header from a missing credential. */
const withoutAbsent = (headers: unknown): unknown =>
  Array.isArray(headers) ? headers.filter((_, at) => headers[at % 2 === 0 ? at + 1 : at] !== undefined) : headers;

/**
 * Returns the headers that a provider adds. If the client brings the credential, the headers for it have no value and are
 * removed. Throws an `Error` that names the provider if its `headers` throws, or does not return names and values.
 */
export const madeHeaders = (provider: Provider, credential: Credential, settings: JsonObject): RawHeaders => {
  const made = callHeaders(provider, credential, settings);
  const headers = Object.keys(credential).length === 0 ? withoutAbsent(made) : made;
  if (areHeaders(headers)) return headers;
  throw new TypeError(
    `"headers" of the provider "${provider.id}" must return a list of strings, alternating names and values, and must not be async.`,
  );
};
