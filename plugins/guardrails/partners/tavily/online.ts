import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { withWebContext } from '../findings/web-context.ts';

/** The parameters of `tavily.online`. */
export interface OnlineParameters {
  readonly prefix: string;
  readonly suffix: string;
  readonly maxResults: number;
  readonly searchDepth?: string;
  readonly topic?: string;
  readonly timeRange?: string;
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Tavily';

/** The maximum length of queries that the documentation recommends. */
const maxAsked = 400;

/** Adds the results of a web search to the last text of the prompt. Always passes. */
export const online = (parameters: OnlineParameters, { http }: CheckServices): Check => {
  const { prefix, suffix, maxResults, searchDepth, topic, timeRange, includeDomains, excludeDomains } = parameters;
  const url = urlBelow(parameters.baseUrl ?? 'https://api.tavily.com', '/search');
  const headers = { authorization: `Bearer ${parameters.credentials.apiKey}` };
  const settings = {
    max_results: maxResults,
    ...(searchDepth !== undefined && { search_depth: searchDepth }),
    ...(topic !== undefined && { topic }),
    ...(timeRange !== undefined && { time_range: timeRange }),
    ...(includeDomains !== undefined && { include_domains: includeDomains }),
    ...(excludeDomains !== undefined && { exclude_domains: excludeDomains }),
  };
  return (input) =>
    withWebContext(input, {
      vendor,
      maxAsked,
      textMember: 'content',
      marks: { prefix, suffix },
      async search(query) {
        const { cancellation } = input;
        const body = { query, ...settings };
        return (await askPartner(http, { vendor, url, headers, body, cancellation })).list('results');
      },
    });
};
