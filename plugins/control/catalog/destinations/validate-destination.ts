import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { relevantErrors } from '../../../../schema/json-schema/alternatives.ts';
import { nearestProviderHint } from '../../../../schema/text/provider-hint.ts';
import { areSendable } from '../../../sdk/http/sendable-headers.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../../sdk/parameters/schema-check.ts';
import { type SchemaMessage, type SchemaReason, schemaError } from '../../../sdk/parameters/schema-error.ts';
import { memberNames } from '../../../sdk/parameters/to-options.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import { savedSettingsSchema } from '../../../sdk/provider/provider-settings.ts';
import { toCredentialFields } from '../../../sdk/provider/to-credential-fields.ts';
import { unknownCredentialField } from '../../../sdk/provider/unknown-credential-field.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { readPlaces } from '../../kernel/secrets/literals.ts';
import {
  type Destination,
  type GivenCredential,
  type ValidatedDestination,
  type ValidationContext,
  validateAddress,
} from './destination.ts';

/** Reports a credential that was copied with surrounding characters. Keys of several lines end with a line break. */
const strayProblem = (value: string, place: readonly (string | number)[]): readonly Problem[] => {
  const bare = value.trim();
  if (bare !== value && !bare.includes('\n'))
    return [problem(place, 'This credential begins or ends with white space.', 'Send it without the space around it.')];
  if (/^(["'`]).*\1$/s.test(bare))
    return [problem(place, 'This credential is in quotes.', 'Send it without the quotes around it.')];
  return [];
};

const credentialFieldProblems = (provider: Provider, [field, value]: readonly [string, string]): readonly Problem[] => {
  const unread = unknownCredentialField(provider, field);
  if (unread !== undefined) return [problem(['credential', field], unread.message, unread.hint)];
  if (value.trim() === '') return [problem(['credential', field], 'This credential is empty.', 'Send the secret.')];
  const stray = strayProblem(value, ['credential', field]);
  return stray.length > 0 ? stray : referenceProblems(value, toPointer(['credential', field]));
};

/** Whether the headers that a provider creates can be sent. */
const isSendable = (provider: Provider, { settings }: Destination, credential: GivenCredential): boolean => {
  try {
    return areSendable(provider.headers(credential, settings));
  } catch {
    return false;
  }
};

const headerProblems = (provider: Provider, destination: Destination): readonly Problem[] => {
  const { credential } = destination;
  if (isSendable(provider, destination, credential)) return [];
  const harmless = Object.fromEntries(Object.keys(credential).map((field) => [field, 'x']));
  if (!isSendable(provider, destination, harmless))
    return [problem(['settings'], 'These settings cannot be sent in headers.', 'Leave out line breaks and the like.')];
  const bad = Object.keys(credential).filter(
    (field) => !isSendable(provider, destination, { ...harmless, [field]: credential[field] ?? '' }),
  );
  return (bad.length === 0 ? [[]] : bad).map((field) =>
    problem(
      ['credential', ...[field].flat()],
      'This credential cannot be sent in a header.',
      'Copy it again: it may have a line break or another control character in it.',
    ),
  );
};

const missing = (provider: Provider, { settings, credential }: Destination): readonly Problem[] => {
  if (provider.credential !== 'required' || Object.keys(credential).length > 0) return [];
  // A custom host, such as a proxy in front of a provider, may need no credential.
  if (settings.custom_host !== undefined || provider.usesMachineIdentity?.(settings) === true) return [];
  const [main = 'api_key'] = toCredentialFields(provider);
  return [
    problem(['credential'], `The provider ${provider.id} needs a credential.`, `Add "credential": { "${main}": … }.`),
  ];
};

/** Lists the problems of several keys, each at its own place. */
const poolProblems = (provider: Provider, destination: Destination): readonly Problem[] => {
  if (!toCredentialFields(provider).includes('api_key'))
    return [
      problem(
        ['keys'],
        `The provider ${provider.id} is not called with an "api_key", so it cannot have several.`,
        'Save a provider for each credential.',
      ),
    ];
  return Object.entries(destination.credential).flatMap(([field, key]) => {
    const found = [
      ...(key.trim() === ''
        ? [problem(['credential', field], 'This key is empty.', 'Send the key.')]
        : strayProblem(key, ['credential', field])),
      ...referenceProblems(key, toPointer(['credential', field])),
    ];
    return found.length > 0 ? found : keyHeaderProblems(provider, destination, field);
  });
};

const keyHeaderProblems = (provider: Provider, destination: Destination, field: string): readonly Problem[] => {
  const one = { ...destination, credential: { api_key: destination.credential[field] ?? '' } };
  return headerProblems(provider, one).map((each) =>
    each.pointer === toPointer(['settings']) ? each : { ...each, pointer: toPointer(['credential', field]) },
  );
};

/** Lists the problems of a credential. Placeholders are validated elsewhere. */
const credentialProblems = (provider: Provider, destination: Destination): readonly Problem[] => {
  if (destination.pool !== undefined) return poolProblems(provider, destination);
  const found = [
    ...Object.entries(destination.credential).flatMap((entry) => credentialFieldProblems(provider, entry)),
    ...missing(provider, destination),
  ];
  return found.length > 0 ? found : headerProblems(provider, destination);
};

const isReference = (value: Json): boolean =>
  typeof value === 'string' && (/^\s*\$\{.*\}\s*$/.test(value) || /\$\{\s*(?:env|file|saved)\b/i.test(value));

/** Lists the texts in a value that look like references to secrets, which have no meaning in the store. */
export const referenceProblems = (value: Json, at: JsonPointer): readonly Problem[] =>
  readPlaces(value, isReference, at).map(([pointer]) => ({
    ...problem([], 'References to secrets are not read in what is saved here.', 'Send the value itself.'),
    pointer,
  }));

const words: SchemaMessage = {
  member: 'setting',
  whole: 'This setting',
  otherwise: 'See the documentation of the provider.',
};

const text: ParameterSchema = { type: 'string', minLength: 1 };

/** The config fields that are not texts. */
const fields: ReadonlyMap<string, ParameterSchema> = new Map([
  [
    'deployments',
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['deployment_id', 'alias', 'api_version'],
        properties: { deployment_id: text, alias: text, api_version: text, is_default: { type: 'boolean' } },
      },
    },
  ],
]);

const toProblem =
  (provider: Provider, within: readonly string[]) =>
  ({ path, message, hint }: SchemaReason): Problem => {
    const [name] = path;
    const isSecret = path.length === 1 && typeof name === 'string' && toCredentialFields(provider).includes(name);
    return problem([...within, ...path], message, isSecret ? `Move it to "credential": { "${name}": … }.` : hint);
  };

const fieldProblems = (provider: Provider, [name, value]: readonly [string, Json]): readonly Problem[] => {
  if (memberNames(provider.ownSettings ?? {}).includes(name) || provider.settings?.includes(name) !== true) return [];
  const verdict = schemaCheck(fields.get(name) ?? text, value, words);
  return verdict.kind === 'fits' ? [] : verdict.errors.map(toProblem(provider, ['settings', name]));
};

const machineProblems = (provider: Provider, settings: JsonObject): readonly Problem[] =>
  provider.usesMachineIdentity?.(settings) === true
    ? [
        problem(
          ['settings'],
          "These settings choose the identity of the gateway's own machine, which only its operator may use.",
          'Choose another way to authenticate, or ask the operator to save the provider in the gateway file.',
        ),
      ]
    : [];

/** Lists the problems of the settings of a provider: settings that it does not read, and wrong values of the others. */
const settingProblems = (provider: Provider, settings: JsonObject): readonly Problem[] => {
  const schema = savedSettingsSchema(provider);
  const errors = relevantErrors(schema.validate(settings).errors);
  return [
    ...errors.map((error) => schemaError(error, schema, words)).map(toProblem(provider, ['settings'])),
    ...Object.entries(settings).flatMap((setting) => fieldProblems(provider, setting)),
    ...referenceProblems(settings, toPointer(['settings'])),
    ...machineProblems(provider, settings),
  ];
};

const unknown = (name: string, { catalogue }: ValidationContext): Problem =>
  problem(
    ['provider'],
    `There is no provider ${JSON.stringify(name.slice(0, 100))}.`,
    nearestProviderHint(name, catalogue.providers.keys()),
  );

/** Validates a destination against the settings and the credential that the provider's plugin declares. */
export const validateDestination = (destination: Destination, validating: ValidationContext): ValidatedDestination => {
  const provider = validating.catalogue.providers.get(destination.provider);
  if (provider === undefined) return { origins: [], problems: [unknown(destination.provider, validating)] };
  const { origins, problems } = validateAddress(provider, destination.settings, validating.findHostError);
  return {
    origins,
    problems: [
      ...settingProblems(provider, destination.settings),
      ...problems,
      ...credentialProblems(provider, destination),
    ],
  };
};
