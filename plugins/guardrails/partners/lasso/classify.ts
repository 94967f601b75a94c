import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `lasso.classify`. */
export interface ClassifyParameters {
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Lasso';

/** Returns the findings by the deputy that found them. Empty if the answer does not have the member. */
const findingsIn = (
  answer: AnswerReader,
): readonly (readonly [deputy: string, findings: readonly AnswerReader[]])[] => {
  if (!answer.has('findings')) return [];
  const findings = answer.object('findings');
  return Object.keys(findings.json).map((deputy) => [deputy, findings.list(deputy)]);
};

/** Returns the deputies that found something. Empty if the answer does not have the member. */
const deputiesIn = (answer: AnswerReader): readonly string[] => {
  if (!answer.has('deputies')) return [];
  const deputies = answer.object('deputies');
  return Object.keys(deputies.json).filter((deputy) => deputies.flag(deputy));
};

const toVerdict = (answer: AnswerReader): Verdict => {
  const found = deputiesIn(answer);
  const isViolated = answer.flag('violations_detected') || found.length > 0;
  const findings = findingsIn(answer).filter(([, found]) => found.length > 0);
  const actions = findings.flatMap(([, found]) => found.map((finding) => finding.text('action')));
  const warns = actions.every((action) => action === 'WARN');
  const pass = warns && (!isViolated || actions.length > 0);
  const names = [...new Set([...found, ...findings.map(([deputy]) => deputy)])].sort();
  const what = foundSentence(names);
  return {
    pass,
    data: {
      explanation: `The policy of ${vendor} ${pass ? 'allows' : 'does not allow'} the text.${what}`,
      detected: names,
    },
  };
};

/** The policy must allow the text. Text about which it is only set to warn is shown, and passes. */
export const classify = (
  { credentials: { apiKey }, baseUrl = 'https://server.lasso.security' }: ClassifyParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, '/gateway/v3/classify');
  const headers = { 'lasso-api-key': apiKey };
  return async ({ text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = { messages: [{ role: 'user', content: text }], messageType: 'PROMPT' };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }));
  };
};
