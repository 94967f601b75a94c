import { settingDescriptions } from '../../../../schema/config/setting-descriptions.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import type { Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { wholeParameters } from '../../../sdk/guardrail/guardrail-parameters.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import type { Provider } from '../../../sdk/provider/provider.ts';
import { describeSettings } from '../../../sdk/provider/provider-settings.ts';
import { toCredentialFields } from '../../../sdk/provider/to-credential-fields.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { listReply, listSchema, objectSchema, text, titled } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

const anyObject = { type: 'object', additionalProperties: true } as const;

const providerKind = titled(
  'ProviderKind',
  objectSchema(
    {
      object: { const: 'provider-kind' },
      id: text,
      aliases: { type: 'array', items: text },
      credential: { type: 'string', enum: ['required', 'optional', 'none'] },
      credential_fields: { type: 'array', items: text },
      settings: { ...anyObject, description: 'The JSON Schema of its settings.' },
      dialects: { type: 'array', items: text, description: 'The ids of the dialects that it speaks.' },
      needs_address: {
        type: 'boolean',
        description: 'Whether it has no address of its own, so that custom_host is required.',
      },
    },
    {
      documentation: { type: 'string', description: "The address of the vendor's documentation." },
      closed: { type: 'string', description: 'The day on which the vendor shut down the service.' },
    },
  ),
);

const checkKind = titled(
  'CheckKind',
  objectSchema({
    object: { const: 'check-kind' },
    id: text,
    aliases: { type: 'array', items: text },
    phases: { type: 'array', items: { type: 'string', enum: ['input', 'output'] } },
    parameters: { ...anyObject, description: 'The JSON Schema of its parameters.' },
  }),
);

/** Adds descriptions to the settings that the schema of configs does not describe. */
const described = (schema: ParameterSchema): ParameterSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, own]) => {
      const description = lookUp(settingDescriptions, name);
      return [name, description === undefined ? own : { description, ...own }];
    }),
  ),
});

const showProvider = (provider: Provider): JsonObject => ({
  object: 'provider-kind',
  ...{ id: provider.id, aliases: provider.aliases ?? [] },
  ...(provider.documentation !== undefined && { documentation: provider.documentation }),
  ...{ credential: provider.credential, credential_fields: toCredentialFields(provider) },
  settings: described(describeSettings(provider)) as JsonObject,
  dialects: Object.keys(provider.speaks),
  needs_address: provider.baseUrl === undefined && provider.inProcess === undefined,
  ...(provider.closed !== undefined && { closed: provider.closed }),
});

const showCheck = ({ id, aliases = [], phases = ['input', 'output'], parameters }: Guardrail): JsonObject => ({
  object: 'check-kind',
  ...{ id, aliases, phases },
  parameters: wholeParameters(parameters) as JsonObject,
});

const unique = <Kind extends { readonly id: string }>(kinds: Iterable<Kind>): readonly Kind[] =>
  [...new Set(kinds)].sort((one, other) => (one.id < other.id ? -1 : 1));

/** Creates the routes that list what can be saved: the providers and checks of the loaded plugins, with their schemas. */
export const kindRoutes = ({ catalogue }: Pick<ControlParts, 'catalogue'>): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/kinds/providers',
    operationId: 'list_provider_kinds',
    summary:
      'Lists the providers that can be saved, with the names of their credentials and the schema of their settings.',
    scope: 'providers.list',
    replies: { 200: listSchema(providerKind) },
    handle: () => {
      const kinds = unique(catalogue.providers.values());
      return listReply(kinds.length, kinds.map(showProvider));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/kinds/checks',
    operationId: 'list_check_kinds',
    summary: 'Lists the checks that guardrails can have, with the schema of their parameters.',
    scope: 'guardrails.list',
    replies: { 200: listSchema(checkKind) },
    async handle() {
      // The code of checks is loaded on first use.
      const loaded = await Promise.all(unique(catalogue.checks.values()).map((check) => check.load?.() ?? check));
      const kinds = loaded.filter(({ comparesAnswers }) => comparesAnswers !== true);
      return listReply(kinds.length, kinds.map(showCheck));
    },
  }),
];
