import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundVerdict } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `sydelabs.sydeguard`. A threshold is the lowest score, from 0 to 1, at which the check fails. */
export interface SydeguardParameters {
  readonly prompt_injection_threshold: number;
  readonly toxicity_threshold: number;
  readonly evasion_threshold: number;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'SydeLabs';

/** A category, by its name in answers and in findings. */
interface Category {
  readonly category: string;
  readonly finding: string;
  readonly threshold: number;
}

const refuseError = (judged: AnswerReader): void => {
  if (judged.has('error')) throw new Error(`${vendor} answered with status 200, but it did not judge the text.`);
};

const toVerdict = (answer: AnswerReader, categories: readonly Category[]): Verdict => {
  refuseError(answer);
  const scores = answer.list('category_scores').map((each) => {
    refuseError(each);
    return { category: each.text('category'), score: each.score('score') };
  });
  const found = categories.flatMap(({ category, finding, threshold }) => {
    const own = scores.filter((each) => each.category === category);
    if (own.length === 0)
      throw new Error(`${vendor} answered with status 200, but its answer has no score of "${category}".`);
    return own.some(({ score }) => score >= threshold) ? [finding] : [];
  });
  return foundVerdict(vendor, found);
};

/** The prompt must not reach any of the thresholds. */
export const sydeguard = (parameters: SydeguardParameters, { http }: CheckServices): Check => {
  const { credentials, baseUrl = 'https://guard.sydelabs.ai' } = parameters;
  const url = urlBelow(baseUrl, '/api/v1/guard/generate-score');
  const headers = { 'x-api-key': credentials.apiKey };
  const categories: readonly Category[] = [
    { category: 'PROMPT_INJECT', finding: 'prompt_injection', threshold: parameters.prompt_injection_threshold },
    { category: 'TOXIC', finding: 'toxicity', threshold: parameters.toxicity_threshold },
    { category: 'EVASION', finding: 'evasion', threshold: parameters.evasion_threshold },
  ];
  return async ({ text, cancellation }) => {
    if (text.trim() === '') return noText;
    return toVerdict(
      await askPartner(http, { vendor, url, headers, body: { prompt: text }, cancellation }),
      categories,
    );
  };
};
