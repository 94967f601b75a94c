import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { withoutNulls } from '../../../../../schema/json/loose.ts';
import type { Resource } from '../../../kernel/resource/define-resource.ts';
import { changeBodySchema, newBodySchema } from '../../../kernel/resource/resource-schemas.ts';
import type { Kind, Schemas } from './kind.ts';

/** Members of bodies that the folder of a file determines, and short forms of others. */
const saidOtherwise = [
  ...['slug', 'scope', 'workspace_id', 'key'],
  ...['resourceName', 'apiVersion', 'deploymentName', 'deploymentConfig'],
];

const called = ['provider', 'settings', 'credential', 'keys', 'accounts', 'tls'];

/** Members that determine where secrets are sent. If one of them changes, the secrets are sent again. */
const leading = ['provider', 'settings', 'tls'];

const ofSecrets = (wanted: JsonObject): JsonObject =>
  Object.fromEntries(
    ['credential', 'keys', 'tls'].flatMap((name) => (wanted[name] === undefined ? [] : [[name, wanted[name]]])),
  );

const withoutMembers = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const withoutDefaultWeight = (key: Json): Json =>
  isJsonObject(key) && key.weight === 1 ? withoutMembers(key, ['weight']) : key;

/** The rules for records that use an integration, or a provider with one credential or several keys. */
const destination: Pick<Kind, 'normalise' | 'toRequest'> = {
  normalise: (body) => {
    if (body.integration_id !== undefined && body.integration_id !== null) return withoutMembers(body, called);
    const { accounts, keys, ...others } = body;
    return {
      ...others,
      ...(accounts !== undefined && accounts !== 'one' && { accounts }),
      ...(Array.isArray(keys) && { keys: keys.map(withoutDefaultWeight) }),
    };
  },
  toRequest: (body, { wanted }) => {
    if (wanted.integration_id !== undefined) return withoutMembers(body, called);
    const request = withoutMembers(body, wanted.keys === undefined ? ['keys', 'accounts'] : ['credential']);
    return leading.some((name) => body[name] !== undefined) ? { ...ofSecrets(wanted), ...request } : request;
  },
};

/** Additions to the descriptions of resources, by path. */
const further: Readonly<Record<string, Partial<Kind>>> = {
  '/providers': destination,
  '/virtual-keys': destination,
  '/integrations': {
    ...destination,
    // A list of models means that only these are allowed.
    normalise: (body) => {
      const { allow_all_models, ...others } = destination.normalise?.(body) ?? body;
      const isDefault = others.models === undefined;
      return allow_all_models === undefined || allow_all_models === isDefault
        ? others
        : { ...others, allow_all_models };
    },
    toRequest: (body, about) => ({
      ...destination.toRequest?.(body, about),
      ...(body.allow_all_models === null && { allow_all_models: about.wanted.models === undefined }),
    }),
    furtherPath: 'models',
  },
  '/guardrails': {
    normalise: ({ checks, ...body }) => ({
      ...body,
      ...(Array.isArray(checks) && {
        checks: checks.map((check) => (isJsonObject(check) ? { parameters: {}, ...check } : check)),
      }),
    }),
  },
  '/workspaces': {
    normalise: ({ settings, ...body }) => ({
      ...body,
      ...(isJsonObject(settings) && { settings: withoutNulls(settings) }),
    }),
  },
};

const without = (schemas: Schemas, names: readonly string[]): Schemas =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.includes(name)));

/** Creates the kind of file for a described resource. */
export const describedKind = (resource: Resource): Kind => {
  const { path, noun, owner, naming, members, scopes, rules, secrets } = resource;
  const made = newBodySchema(resource);
  const isSlugged = naming !== undefined && members[naming]?.presence === 'fixed';
  return {
    folder: path.slice(1),
    ...{ noun, path, owner, scopes },
    byName: !isSlugged,
    members: without(made.properties ?? {}, saidOtherwise),
    // If a record has a slug, its name defaults to that of its file.
    required: (made.required ?? []).filter((name) => !(isSlugged && name === 'name')),
    changeable: new Set(Object.keys(changeBodySchema(resource).properties ?? {})),
    hasDryRun: true,
    hasSecrets: secrets !== undefined,
    ...(rules.validate !== undefined && { validate: (body, now) => rules.validate?.(body, now) ?? [] }),
    ...further[path],
  };
};
