import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../../sdk/http/http.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundVerdict } from '../findings/found-verdict.ts';

/** The parameters of all Qualifire checks. */
export interface QualifireParameters {
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Qualifire';

const statuses: ReadonlySet<string> = new Set(['success', 'warning', 'failed']);

/**
 * Fails if a result is flagged, or if the evaluation as a whole failed. Only the types of results are shown, because other
 * members may quote the text.
 */
const toVerdict = (answer: AnswerReader): Verdict => {
  const status = answer.text('status');
  if (!statuses.has(status))
    throw new Error(`${vendor} answered with status 200, but with an undocumented status in its answer.`);
  const evaluations = answer.list('evaluationResults').map((evaluation) => ({
    type: evaluation.text('type'),
    results: evaluation.list('results'),
  }));
  const found = evaluations.flatMap(({ type, results }) =>
    results.some((each) => each.flag('flagged')) ? [type] : [],
  );
  const isJudged = evaluations.length > 0 && evaluations.every(({ results }) => results.length > 0);
  // An answer that fails the text does so even if it lacks other results.
  if (!isJudged && found.length === 0 && (status !== 'failed' || evaluations.length === 0))
    throw new Error(`${vendor} answered with status 200, but not every detector judged the text.`);
  return foundVerdict(vendor, status === 'failed' && found.length === 0 ? ['something'] : found);
};

/** Creates a function that requests an evaluation: https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
export const askQualifire = (
  { credentials, baseUrl = 'https://api.qualifire.ai' }: QualifireParameters,
  { http }: CheckServices,
): ((body: JsonObject, cancellation: Cancellation) => Promise<Verdict>) => {
  const url = urlBelow(baseUrl, '/api/v1/evaluation/evaluate');
  const headers = { 'x-qualifire-api-key': credentials.apiKey };
  return async (body, cancellation) => toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }));
};
