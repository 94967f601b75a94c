import { type Page, type PageQuery, pageSchema, toPage } from '../records/records.ts';

/** The parameter of a list that pages by records and not by numbers. */
const afterSchema = {
  type: 'string',
  maxLength: 255,
  description:
    'The id of the last record of the page before, in place of current_page: what is made or deleted meanwhile neither repeats nor hides a record.',
} as const;

/** The query of lists of records. */
export const resourcePageSchema: {
  readonly type: 'object';
  readonly properties: typeof pageSchema.properties & { readonly after: typeof afterSchema };
} = { type: 'object', properties: { ...pageSchema.properties, after: afterSchema } };

/** The page of a list that is asked for. */
export interface ResourcePage extends Page {
  /** Only records that are listed behind the one with this id. */
  readonly after?: string | undefined;
}

export const resourcePage = ({ after, ...page }: PageQuery & { readonly after?: string }): ResourcePage => ({
  ...toPage(page),
  after,
});
