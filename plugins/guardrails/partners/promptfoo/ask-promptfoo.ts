import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of all promptfoo checks. */
export interface PromptfooParameters {
  readonly baseUrl?: string;
}

/** The name in messages. */
export const vendor = 'promptfoo';

/** The documentation states no limit. Longer texts are sent in several requests. */
export const maxCharacters = 8000;

/** Creates a function that returns the only result of an answer: https://www.promptfoo.dev/docs/red-team/guardrails/ */
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
