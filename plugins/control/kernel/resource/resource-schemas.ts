import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { fixedMemberSchema } from '../records/fixed-members.ts';
import { warningMembers } from '../requests/diagnostic-problems.ts';
import { listSchema, objectSchema, orNull, seconds, text, titled } from '../requests/replies.ts';
import { toSeconds } from '../requests/to-seconds.ts';
import { type Resource, snake } from './define-resource.ts';
import type { Member } from './member.ts';
import { ownershipRules } from './ownership.ts';
import type { ResourceRow } from './resource-queries.ts';

const mapMembers = <Value>(
  { members }: Resource,
  map: (member: Member, name: string) => Value | undefined,
): { readonly [name: string]: Value } => {
  const mapped = Object.entries(members).map(([name, member]) => [name, map(member, name)] as const);
  return Object.fromEntries(mapped.filter((entry): entry is [string, Value & {}] => entry[1] !== undefined));
};

/** Returns the members for the owner of a record and its workspace. */
const ownerMembers = ({ owner, plural }: Resource): { readonly [name: string]: ParameterSchema } =>
  owner !== 'either'
    ? {}
    : {
        scope: {
          type: 'string',
          enum: ['workspace', 'organisation'],
          default: 'workspace',
          description: `The owner: ${plural} of the organisation can be used in all of its workspaces.`,
        },
        workspace_id: {
          type: 'string',
          description: 'The id or slug of its workspace; if absent, the workspace of the request.',
        },
      };

/** Returns the schema of a body that creates a record. */
export const newBodySchema = (resource: Resource): ParameterSchema => ({
  type: 'object',
  required: [
    ...Object.entries(resource.members)
      .filter(([, { presence, initial }]) => presence === 'required' && initial === undefined)
      .map(([name]) => name),
    ...(resource.requires ?? []),
  ],
  properties: {
    ...mapMembers(resource, ({ schema, initial }) =>
      initial === undefined ? schema : { ...schema, default: initial },
    ),
    ...resource.inputs,
    ...resource.newInputs,
    ...ownerMembers(resource),
  },
});

/** Returns the schema of the members of a record that can change. If there is only one, it is required. */
export const changeBodySchema = (resource: Resource): ParameterSchema => {
  const properties = {
    ...mapMembers(resource, ({ schema, presence }) => {
      if (presence === 'fixed') return undefined;
      return presence === 'optional' ? orNull(schema) : schema;
    }),
    ...resource.inputs,
  };
  const names = Object.keys(properties);
  return { type: 'object', ...(names.length === 1 ? { required: names } : {}), properties };
};

/** Returns the schema of a body that changes a record. It may contain members that never change, with their current values. */
export const updateBodySchema = (resource: Resource): ParameterSchema => {
  const change = changeBodySchema(resource);
  const fixed = mapMembers(resource, ({ schema, presence }) =>
    presence === 'fixed' ? fixedMemberSchema(schema) : undefined,
  );
  return { ...change, properties: { ...change.properties, ...fixed } };
};

const shownValue = ({ type = 'object', items }: ParameterSchema): ParameterSchema => {
  if (type === 'string') return text;
  if (type === 'array')
    return { type, items: items?.type === 'object' ? { type: 'object', additionalProperties: true } : (items ?? {}) };
  return { type, ...(type === 'object' ? { additionalProperties: true } : {}) };
};

const shownSchema = ({ schema, presence, shown = shownValue(schema) }: Member): ParameterSchema =>
  presence === 'optional' ? orNull(shown) : shown;

const isListed = ({ isListed: listed = true }: Member): boolean => listed;

const recordMembers = (resource: Resource, isWhole: boolean): { readonly [name: string]: ParameterSchema } => ({
  object: { const: snake(resource.noun) },
  id: text,
  ...mapMembers(resource, (member) => (isWhole || isListed(member) ? shownSchema(member) : undefined)),
  ...ownershipRules[resource.owner].shownSchema,
  created_at: seconds,
  last_updated_at: seconds,
  ...resource.view?.schema,
});

export const resourceReplies = (
  resource: Resource,
): Readonly<Record<'record' | 'list' | 'created' | 'updated', ParameterSchema>> => {
  const { noun, naming, answers, members } = resource;
  const name = resource.title ?? noun.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const optional = resource.view?.optional;
  const record = titled(name, objectSchema(recordMembers(resource, true), optional));
  const listed = Object.values(members).every(isListed)
    ? record
    : titled(`${name}Summary`, objectSchema(recordMembers(resource, false), optional));
  const names = {
    id: text,
    ...mapMembers(resource, (member, each) => (each === naming ? shownSchema(member) : undefined)),
  };
  const forms = {
    record,
    name: titled(`Saved${name}`, objectSchema({ object: { const: snake(noun) }, ...names })),
    reference: titled(
      'SavedReference',
      objectSchema({ success: { const: true }, data: objectSchema(names) }, warningMembers),
    ),
  };
  return { record, list: listSchema(listed), created: forms[answers.create], updated: forms[answers.update] };
};

/** Returns a record as it is shown: the whole record, or without the members that lists omit. */
export const toRecord = (resource: Resource, row: ResourceRow, isWhole = true): JsonObject => ({
  object: snake(resource.noun),
  id: row.id,
  ...mapMembers(resource, (member, name) => {
    const column = row[name];
    if (!(isWhole || isListed(member))) return undefined;
    return column === null || column === undefined ? null : member.toValue(column);
  }),
  ...ownershipRules[resource.owner].shown(row),
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

/** Returns the response to a change, if that is not the record. */
export const toNames = (
  { noun, naming }: Pick<Resource, 'noun' | 'naming'>,
  row: ResourceRow,
  answer: 'name' | 'reference',
): JsonObject => {
  const names = { id: row.id, ...(naming === undefined ? {} : { [naming]: row[naming] ?? null }) };
  return answer === 'name' ? { object: snake(noun), ...names } : { success: true, data: names };
};
