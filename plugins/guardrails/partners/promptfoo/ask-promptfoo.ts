import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of every check of promptfoo. */
export interface PromptfooParameters {
  readonly baseUrl?: string;
}

/** As messages write it. */
export const vendor = 'promptfoo';

/** The documentation names no limit; this much is one request. */
export const maxCharacters = 8000;

/** Gives the one result of an answer: https://www.promptfoo.dev/docs/red-team/guardrails/ */
export const askPromptfoo = (
  path: string,
  { baseUrl = 'https://api.promptfoo.dev' }: PromptfooParameters,
  { http }: CheckServices,
): ((input: string, cancellation: Cancellation) => Promise<AnswerReader>) => {
  const url = urlBelow(baseUrl, path);
  return async (input, cancellation) => {
    const [result] = (await askPartner(http, { vendor, url, body: { input }, cancellation })).list('results', 1);
    if (result === undefined) throw new Error(`${vendor} answered with status 200, but its answer has no result.`);
    return result;
  };
};
