import type { FromSchema } from '../../../sdk/parameters/from-schema.ts';
import type { Page } from './records.ts';

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

export type PageQuery = FromSchema<typeof pageSchema>;

/** Which rows the page of a request has. */
export const toPage = ({ page_size, current_page }: PageQuery): Page => ({
  limit: page_size,
  offset: page_size * current_page,
});
