import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

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

/** The most characters of a query, and of each text that is taken from a page. */
const most = { query: 2000, page: 1000 };

const textIn = (page: AnswerReader, member: string): string =>
  page.has(member) ? page.text(member).slice(0, most.page) : '';

/** A page may not end the context that it is in, nor begin another. */
const without = (text: string, marks: readonly string[]): string => {
  // What is left of a text may be a mark again.
  const left = marks.reduce((rest, mark) => (mark === '' ? rest : rest.replaceAll(mark, '')), text);
  return left === text ? text : without(left, marks);
};

const pageText = (page: AnswerReader): string =>
  [textIn(page, 'title'), page.text('url').slice(0, most.page), textIn(page, 'text')]
    .filter((line) => line !== '')
    .join('\n');

/** Adds what a search of the web finds to the last text of the prompt. It passes whatever is found. */
export const online = (parameters: OnlineParameters, { http }: CheckServices): Check => {
  const { prefix, suffix, numResults, includeDomains, excludeDomains, credentials } = parameters;
  const url = urlBelow(parameters.baseUrl ?? 'https://api.exa.ai', '/search');
  const headers = { 'x-api-key': credentials.apiKey };
  const settings = {
    numResults,
    contents: { text: { maxCharacters: most.page } },
    ...(includeDomains !== undefined && { includeDomains }),
    ...(excludeDomains !== undefined && { excludeDomains }),
  };
  return async ({ spans, cancellation }): Promise<Verdict> => {
    const span = spans.findLastIndex(({ kind, text }) => kind === 'text' && text.trim() !== '');
    const asked = spans[span]?.text;
    if (asked === undefined)
      return { pass: true, data: { explanation: 'There is no text to search for.', results: 0 } };
    const body = { query: asked.slice(0, most.query), ...settings };
    const pages = (await askPartner(http, { vendor, url, headers, body, cancellation })).list('results');
    const data = { explanation: `${vendor} found ${pages.length} pages.`, results: pages.length };
    if (pages.length === 0) return { pass: true, data };
    const context = pages.map((page) => without(pageText(page), [prefix.trim(), suffix.trim()])).join('\n\n');
    const added = `\n${prefix}\n${context}${suffix}`;
    return { pass: true, data, replace: [{ span, from: asked.length, to: asked.length, with: added }] };
  };
};
