/** A text before or after the content that is added to a prompt. */
export interface MarkSchema {
  readonly type: 'string';
  readonly maxLength: number;
  readonly default: string;
  readonly description: string;
}

/** Names of hosts. */
export interface DomainsSchema {
  readonly type: 'array';
  readonly minItems: number;
  readonly maxItems: number;
  readonly items: { readonly type: 'string'; readonly minLength: number };
  readonly description: string;
}

/** The number of pages that are added. */
export interface PagesSchema {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly description: string;
}

/** The parameters of all checks that search the web. */
export interface WebContextParameters {
  readonly prefix: MarkSchema;
  readonly suffix: MarkSchema;
  /** Each vendor has its own name for it. */
  readonly pages: PagesSchema;
  readonly includeDomains: DomainsSchema;
  readonly excludeDomains: DomainsSchema;
}

const domains = { type: 'array', minItems: 1, maxItems: 1200, items: { type: 'string', minLength: 1 } } as const;

export const webContextParameters: WebContextParameters = {
  prefix: {
    type: 'string',
    maxLength: 1000,
    default: '\n<web_search_context>',
    description: 'The text to put before the results.',
  },
  suffix: {
    type: 'string',
    maxLength: 1000,
    default: '\n</web_search_context>',
    description: 'The text to put after the results.',
  },
  pages: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'How many pages to add.' },
  includeDomains: { ...domains, description: 'Only pages of these domains.' },
  excludeDomains: { ...domains, description: 'No pages of these domains.' },
};
