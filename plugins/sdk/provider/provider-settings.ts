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

/** The members of a saved provider's settings that every provider takes. */
const common: { readonly [name: string]: ParameterSchema } = {
  custom_host: { type: 'string', description: "Replaces the provider's base URL." },
  unknown_ids: {
    type: 'string',
    enum: ['allow', 'refuse'],
    description: 'Whether files, batches and jobs that were not made through the gateway can be asked for.',
  },
};

const schemas = new WeakMap<Provider, CompiledSchema>();

/** Describes what may stand under `settings` where a provider is saved: its own settings, and the config fields that it reads. */
export const describeSettings = ({ ownSettings, settings = [] }: Provider): ParameterSchema => {
  // The types of config fields belong to the schema of configs.
  const fields = Object.fromEntries(settings.map((field): [string, ParameterSchema] => [field, {}]));
  return { type: 'object', ...ownSettings, properties: { ...fields, ...ownSettings?.properties, ...common } };
};

/** The schema of what may stand under `settings` where a provider is saved. */
export const savedSettingsSchema = (provider: Provider): CompiledSchema => {
  const known = schemas.get(provider);
  if (known !== undefined) return known;
  const made = compileSchema(describeSettings(provider));
  schemas.set(provider, made);
  return made;
};

/** Settings with the defaults of the provider's own ones, or why the provider cannot be used with them. */
export type FilledSettings =
  | { readonly kind: 'filled'; readonly settings: JsonObject }
  | { readonly kind: 'errors'; readonly errors: readonly string[] };

/** Fills in the defaults of a provider's own settings; the other settings stay as they are. */
export const fillSettings = ({ ownSettings }: Provider, settings: JsonObject): FilledSettings => {
  if (ownSettings === undefined) return { kind: 'filled', settings };
  const names = new Set(memberNames(ownSettings));
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name)));
  const verdict = schemaCheck(ownSettings, own);
  if (verdict.kind === 'errors') return { kind: 'errors', errors: verdict.errors.map(({ message }) => message) };
  return { kind: 'filled', settings: { ...settings, ...(verdict.value as JsonObject) } };
};

/** The same where errors are reported elsewhere: settings with errors stay as they are. */
export const filledSettings = (provider: Provider, settings: JsonObject): JsonObject => {
  const found = fillSettings(provider, settings);
  return found.kind === 'filled' ? found.settings : settings;
};

/** Returns whether a value is a list of names and values in turn, as a provider's `headers` has to give. */
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

/** The headers without those that have no value, of a provider that has made a header of a credential which is not there. */
const withoutAbsent = (headers: unknown): unknown =>
  Array.isArray(headers) ? headers.filter((_, at) => headers[at % 2 === 0 ? at + 1 : at] !== undefined) : headers;

/**
 * Makes the headers that a provider adds. A client may bring the credential, whose headers have no value then. Throws an `Error` that names the provider where its `headers` throws, or gives something
 * else than names and values.
 */
export const madeHeaders = (provider: Provider, credential: Credential, settings: JsonObject): RawHeaders => {
  const made = callHeaders(provider, credential, settings);
  const headers = Object.keys(credential).length === 0 ? withoutAbsent(made) : made;
  if (areHeaders(headers)) return headers;
  throw new TypeError(
    `"headers" of the provider "${provider.id}" gives no list of texts, names and values in turn. It may not be async.`,
  );
};
