import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `akto.scan`. */
export interface ScanParameters {
  readonly credentials: { readonly apiKey: string; readonly apiDomain: string };
  readonly baseUrl?: string;
}

const vendor = 'Akto';

/** The documentation writes the members in lower case, but the service capitalises them. */
const flagNamed = (answer: AnswerReader, lower: string, capital: string): boolean =>
  answer.flag(answer.has(capital) ? capital : lower);

const toVerdict = (answer: AnswerReader): Verdict => {
  const isAllowed = flagNamed(answer, 'allowed', 'Allowed');
  const isModified = flagNamed(answer, 'modified', 'Modified');
  const does = !isAllowed ? 'block' : isModified ? 'would change' : 'allow';
  return {
    pass: isAllowed && !isModified,
    data: { explanation: `The policies of ${vendor} ${does} the text.` },
  };
};

/** The policies must allow the text unchanged. */
export const scan = ({ credentials, baseUrl }: ScanParameters, { http }: CheckServices): Check => {
  const base = baseUrl ?? `https://${credentials.apiDomain}`;
  const urls = { input: urlBelow(base, '/api/validate/request'), output: urlBelow(base, '/api/validate/response') };
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async ({ phase, text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = { payload: text, contextSource: 'AGENTIC' };
    return toVerdict(await askPartner(http, { vendor, url: urls[phase], headers, body, cancellation }));
  };
};
