import type { CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';

/** The parameters of all Patronus checks. */
export interface PatronusParameters {
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

/** The name in messages. */
export const vendor = 'Patronus';

/** An evaluator, and the criteria for a managed or custom one. */
export interface Evaluator {
  readonly evaluator: string;
  readonly criteria?: string;
}

/** An answer, with as much of its request as the evaluator needs. */
export interface Evaluated {
  readonly output: string;
  /** The text of the request. */
  readonly input?: string;
  /** Texts on which the answer should be based. */
  readonly context?: readonly string[];
}

/** Creates a function that calls one evaluator and returns its result: https://docs.patronus.ai/docs/patronus-evaluators */
export const askPatronus = (
  { credentials: { apiKey }, baseUrl = 'https://api.patronus.ai' }: PatronusParameters,
  { http }: CheckServices,
): ((evaluator: Evaluator, evaluated: Evaluated, cancellation: Cancellation) => Promise<AnswerReader>) => {
  const url = urlBelow(baseUrl, '/v1/evaluate');
  const headers = { 'x-api-key': apiKey };
  return async (evaluator, { output, input, context }, cancellation) => {
    const body = {
      evaluators: [{ ...evaluator, explain_strategy: 'never' }],
      evaluated_model_output: output,
      ...(input !== undefined && { evaluated_model_input: input }),
      ...(context !== undefined && { evaluated_model_retrieved_context: context }),
    };
    const [result] = (await askPartner(http, { vendor, url, headers, body, cancellation })).list('results', 1);
    if (result?.text('status') !== 'success')
      throw new Error(
        `${vendor} answered with status 200, but its evaluator returned no result. Check your account there.`,
      );
    return result.object('evaluation_result');
  };
};
