/** The queries and parameters of the routes of policies, as schemas. */

const largest = 1_000_000_000;

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
  page_size: { type: 'integer', minimum: 0, maximum: 1_000_000_000, default: 100, description: 'How many are listed.' },
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
  description: 'Whether what was used is shown as well.',
} as const;

export const entitiesQuery = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['active', 'archived'],
      default: 'active',
      description: 'Deleted policies are archived.',
    },
    search: { type: 'string', maxLength: 1024, description: 'Only those whose value_key has this text in it.' },
    page_size: { type: 'integer', minimum: 1, maximum: 100, default: 100, description: 'How many are listed.' },
    current_page: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'The number of the page; the first is 0.',
    },
  },
} as const;

/** The part of a list that a page is, which begins at the latest where no list goes on. */
export const toPolicyPage = ({
  page_size,
  current_page,
}: {
  readonly page_size: number;
  readonly current_page: number;
}): { readonly limit: number; readonly offset: number } => ({
  limit: page_size,
  offset: Math.min(page_size * current_page, largest),
});
