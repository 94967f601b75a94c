import { afterSchema } from '../../kernel/records/records.ts';

/** The schemas of parameters, queries and members of bodies that the routes of both kinds of policies use. */

export const policyParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', format: 'uuid' } },
} as const;

export const entityParams = {
  type: 'object',
  required: ['id', 'entity'],
  properties: { id: { type: 'string', format: 'uuid' }, entity: { type: 'string', format: 'uuid' } },
} as const;

export const statusSchema = {
  type: 'string',
  enum: ['active', 'archived'],
  default: 'active',
  description: 'Deleted policies are archived.',
} as const;

export const pageMembers = {
  workspace_id: { type: 'string', description: 'Only policies of the workspace with this id or slug.' },
  page_size: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    default: 100,
    description: 'The number of records per page.',
  },
  current_page: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'The number of the page; the first is 0.',
  },
} as const;

export const includeUsageSchema = {
  type: 'boolean',
  default: false,
  description: 'Whether to include what was used.',
} as const;

export const entitiesQuery = {
  type: 'object',
  properties: {
    status: statusSchema as typeof statusSchema,
    search: { type: 'string', maxLength: 1024, description: 'Only those whose value_key contains this text.' },
    page_size: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'The number of records per page.',
    },
    current_page: pageMembers.current_page as typeof pageMembers.current_page,
    after: afterSchema as typeof afterSchema,
  },
} as const;

export const nameSchema = {
  anyOf: [{ type: 'string', maxLength: 255 }, { type: 'null' }],
  description: 'The display name.',
} as const;

export const ifUnknownSchema = {
  type: 'string',
  enum: ['allow', 'refuse'],
  description:
    'What happens to requests while counters cannot be reached, and to requests whose use cannot be measured or priced.',
} as const;

export const workspaceSchema = {
  type: 'string',
  description: 'An id or a slug; the workspace that the request acts in if absent. Required without a service key.',
} as const;

export const organisationSchema = {
  type: 'string',
  format: 'uuid',
  description: 'Your own organisation; another one is refused. Required without a service key.',
} as const;
