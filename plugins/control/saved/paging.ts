import type { FromSchema } from '../../sdk/from-schema.ts';

/** The query of routes that list. */
export const pageSchema = {
  type: 'object',
  properties: {
    page_size: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'How many are listed.' },
    current_page: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'The number of the page; the first is 0.',
    },
  },
} as const;

export type Page = FromSchema<typeof pageSchema>;

/** The part of a query's results that a page has. */
export const pageOf = ({ page_size, current_page }: Page): { readonly limit: number; readonly offset: number } => ({
  limit: page_size,
  offset: page_size * current_page,
});
