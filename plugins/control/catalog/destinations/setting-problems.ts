import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { withoutAlternatives } from '../../../../schema/json-schema/alternatives.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../../sdk/parameters/schema-check.ts';
import { type SchemaFault, type SchemaMessage, schemaFault } from '../../../sdk/parameters/schema-fault.ts';
import { memberNames } from '../../../sdk/parameters/to-options.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import { savedSettingsSchema } from '../../../sdk/provider/provider-settings.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { toCredentialFields } from './credential-fields.ts';
import { referenceProblems } from './references.ts';

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
  ({ path, message, hint }: SchemaFault): Problem => {
    const [name] = path;
    const isSecret = path.length === 1 && typeof name === 'string' && toCredentialFields(provider).includes(name);
    return problem([...within, ...path], message, isSecret ? `Move it to "credential": { "${name}": … }.` : hint);
  };

const fieldProblems = (provider: Provider, [name, value]: readonly [string, Json]): readonly Problem[] => {
  const own = new Set(memberNames(provider.ownSettings ?? {}));
  if (own.has(name) || provider.settings?.includes(name) !== true) return [];
  const verdict = schemaCheck(fields.get(name) ?? text, value, words);
  return verdict.kind === 'fits' ? [] : verdict.faults.map(toProblem(provider, ['settings', name]));
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

/** What is wrong with the settings of a provider: those that it does not read, and wrong values of the others. */
export const settingProblems = (provider: Provider, settings: JsonObject): readonly Problem[] => {
  const { validate, keysAt } = savedSettingsSchema(provider);
  const errors = withoutAlternatives(validate(settings).errors);
  return [
    ...errors.map((error) => schemaFault(error, keysAt, words)).map(toProblem(provider, ['settings'])),
    ...Object.entries(settings).flatMap((setting) => fieldProblems(provider, setting)),
    ...referenceProblems(settings, toPointer(['settings'])),
    ...machineProblems(provider, settings),
  ];
};
