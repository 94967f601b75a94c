import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `lasso.classify`. */
export interface ClassifyParameters {
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Lasso';

/** Findings by the deputy that found them; none of an answer that has no such member. */
const findingsIn = (
  answer: AnswerReader,
): readonly (readonly [deputy: string, findings: readonly AnswerReader[]])[] => {
  if (!answer.has('findings')) return [];
  const findings = answer.object('findings');
  return Object.keys(findings.json).map((deputy) => [deputy, findings.list(deputy)]);
};

const toVerdict = (answer: AnswerReader): Verdict => {
  const isViolated = answer.flag('violations_detected');
  const deputies = answer.has('deputies') ? Object.entries(answer.object('deputies').json) : [];
  const findings = findingsIn(answer).filter(([, found]) => found.length > 0);
  const detected = [
    ...deputies.flatMap(([deputy, found]) => (found === true ? [deputy] : [])),
    ...findings.map(([deputy]) => deputy),
  ];
  const actions = findings.flatMap(([, found]) => found.map((finding) => finding.text('action')));
  const warns = actions.every((action) => action === 'WARN');
  const pass = warns && (!isViolated || actions.length > 0);
  const names = [...new Set(detected)].sort();
  const found = names.length === 0 ? '' : ` It found ${names.join(', ')}.`;
  return {
    pass,
    data: {
      explanation: `The policy of ${vendor} ${pass ? 'allows' : 'does not allow'} the text.${found}`,
      detected: names,
    },
  };
};

/** The policy must allow the text. What it is set to warn of only is shown, and passes. */
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
