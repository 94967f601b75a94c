import type { JsonObject } from '../../../../schema/json.ts';
import type { ParameterSchema } from '../../../sdk/from-schema.ts';
import { listOf, orNull, recordOf, seconds, text, textOrNull, titled } from '../../saved/replies.ts';
import { toSeconds } from '../../saved/to-seconds.ts';
import type { Resource } from './define-resource.ts';
import type { Member } from './member.ts';
import type { ResourceRow } from './resource-queries.ts';

const mapMembers = <Value>(
  { members }: Resource,
  map: (member: Member, name: string) => Value | undefined,
): { readonly [name: string]: Value } => {
  const mapped = Object.entries(members).map(([name, member]) => [name, map(member, name)] as const);
  return Object.fromEntries(mapped.filter((entry): entry is [string, Value & {}] => entry[1] !== undefined));
};

/** `virtual_key`: as operations and answers are called. */
export const snake = (words: string): string => words.replaceAll(/[ -]/g, '_');

/** `VirtualKey`: as `openapi.json` calls the schema. */
const typeName = (noun: string): string =>
  noun.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Whose a record is, and in which workspace. */
const ownerMembers = ({ owner, plural }: Resource): { readonly [name: string]: ParameterSchema } =>
  owner === 'workspace'
    ? {}
    : {
        scope: {
          type: 'string',
          enum: ['workspace', 'organisation'],
          default: 'workspace',
          description: `Whose it is: ${plural} of the organisation can be named in all of its workspaces.`,
        },
        workspace_id: {
          type: 'string',
          description: 'The id or slug of its workspace; that of the request where absent.',
        },
      };

/** The body of a request that makes a record. */
export const newBodySchema = (resource: Resource): ParameterSchema => ({
  type: 'object',
  required: Object.entries(resource.members)
    .filter(([, { presence, initial }]) => presence === 'required' && initial === undefined)
    .map(([name]) => name),
  properties: {
    ...mapMembers(resource, ({ schema, initial }) =>
      initial === undefined ? schema : { ...schema, default: initial },
    ),
    ...ownerMembers(resource),
  },
});

/** The body of a request that changes a record. Where there is one member alone, a body without it is a mistake. */
export const changeBodySchema = (resource: Resource): ParameterSchema => {
  const names = Object.keys(resource.members);
  return {
    type: 'object',
    ...(names.length === 1 ? { required: names } : {}),
    properties: mapMembers(resource, ({ schema, presence }) => {
      if (presence === 'fixed') return undefined;
      return presence === 'optional' ? orNull(schema) : schema;
    }),
  };
};

const shownSchema = ({ schema, presence }: Member): ParameterSchema => {
  const { type = 'object', items } = schema;
  const shown: ParameterSchema =
    type === 'string'
      ? text
      : type === 'array'
        ? { type, items: items?.type === 'object' ? { type: 'object', additionalProperties: true } : (items ?? {}) }
        : { type, ...(type === 'object' ? { additionalProperties: true } : {}) };
  return presence === 'optional' ? orNull(shown) : shown;
};

const isListed = ({ isListed: listed = true }: Member): boolean => listed;

const recordMembers = (resource: Resource, isWhole: boolean): { readonly [name: string]: ParameterSchema } => ({
  object: { const: snake(resource.noun) },
  id: text,
  ...mapMembers(resource, (member) => (isWhole || isListed(member) ? shownSchema(member) : undefined)),
  ...(resource.owner === 'workspace'
    ? { workspace_id: text }
    : {
        scope: { type: 'string', enum: ['workspace', 'organisation'] },
        organisation_id: text,
        workspace_id: textOrNull,
      }),
  created_at: seconds,
  last_updated_at: seconds,
});

export interface ResourceReplies {
  readonly record: ParameterSchema;
  readonly list: ParameterSchema;
  /** What is answered to a change. */
  readonly changed: ParameterSchema;
}

export const resourceReplies = (resource: Resource): ResourceReplies => {
  const { noun, naming, answers = 'record', members } = resource;
  const name = typeName(noun);
  const record = titled(name, recordOf(recordMembers(resource, true)));
  const listed = Object.values(members).every(isListed)
    ? record
    : titled(`${name}Summary`, recordOf(recordMembers(resource, false)));
  const named = { object: { const: snake(noun) }, id: text, ...(naming === undefined ? {} : { [naming]: text }) };
  return {
    record,
    list: listOf(listed),
    changed: answers === 'record' ? record : titled(`Saved${name}`, recordOf(named)),
  };
};

/** A record as it is shown: whole, or without what lists leave out. */
export const toRecord = (resource: Resource, row: ResourceRow, isWhole = true): JsonObject => ({
  object: snake(resource.noun),
  id: row.id,
  ...mapMembers(resource, (member, name) => {
    const column = row[name];
    if (!(isWhole || isListed(member))) return undefined;
    return typeof column === 'string' ? member.toValue(column) : null;
  }),
  ...(resource.owner === 'workspace'
    ? {}
    : {
        scope: row.workspace_id === null ? 'organisation' : 'workspace',
        organisation_id: row.organisation_id,
      }),
  workspace_id: row.workspace_id,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

/** What is answered to a change. */
export const toChanged = (resource: Resource, row: ResourceRow): JsonObject => {
  const { noun, naming, answers = 'record' } = resource;
  return answers === 'record'
    ? toRecord(resource, row)
    : { object: snake(noun), id: row.id, ...(naming === undefined ? {} : { [naming]: row[naming] ?? null }) };
};
