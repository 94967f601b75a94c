import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { maxOfPage, withWebContext } from '../findings/web-context.ts';

/** The parameters of `exa.online`. */
export interface OnlineParameters {
  readonly prefix: string;
  readonly suffix: string;
  readonly numResults: number;
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Exa';

/** Adds the results of a web search to the last text of the prompt. Always passes. */
export const online = (parameters: OnlineParameters, { http }: CheckServices): Check => {
  const { prefix, suffix, numResults, includeDomains, excludeDomains, credentials } = parameters;
  const url = urlBelow(parameters.baseUrl ?? 'https://api.exa.ai', '/search');
  const headers = { 'x-api-key': credentials.apiKey };
  const settings = {
    numResults,
    contents: { text: { maxCharacters: maxOfPage } },
    ...(includeDomains !== undefined && { includeDomains }),
    ...(excludeDomains !== undefined && { excludeDomains }),
  };
  return (input) =>
    withWebContext(input, {
      vendor,
      maxAsked: 2000,
      textMember: 'text',
      marks: { prefix, suffix },
      async search(query) {
        const { cancellation } = input;
        const body = { query, ...settings };
        return (await askPartner(http, { vendor, url, headers, body, cancellation })).list('results');
      },
    });
};
