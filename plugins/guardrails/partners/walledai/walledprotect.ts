import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `walledai.walledprotect`. */
export interface WalledprotectParameters {
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Walled AI';

const toVerdict = (answer: AnswerReader): Verdict => {
  if (!answer.flag('success')) throw new Error(`${vendor} answered with status 200, but it did not judge the text.`);
  const judged = answer.object('data').list('safety');
  if (judged.length === 0)
    throw new Error(`${vendor} answered with status 200, but its answer does not report whether the text is safe.`);
  // All flags are read, so that a missing one is an error rather than a pass.
  const isSafe = judged.map((safety) => safety.flag('isSafe')).every(Boolean);
  return { pass: isSafe, data: { explanation: `${vendor} finds the text ${isSafe ? 'safe' : 'unsafe'}.` } };
};

/** The text must be safe. The check does not ask about personal data, greetings and topics. */
export const walledprotect = ({ credentials, baseUrl }: WalledprotectParameters, { http }: CheckServices): Check => {
  const url = urlBelow(baseUrl ?? 'https://services.walled.ai', '/v1/walled-protect');
  const headers = { 'x-api-key': credentials.apiKey };
  return async ({ phase, text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = {
      text: [{ role: phase === 'input' ? 'user' : 'assistant', content: text }],
      generic_safety_check: true,
      greetings_list: [],
      compliance_list: [],
      pii_list: [],
    };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }));
  };
};
