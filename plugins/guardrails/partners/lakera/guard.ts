import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `lakera.guard`. */
export interface GuardParameters {
  readonly projectID?: string;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Lakera';

const detectedIn = (answer: AnswerReader): readonly string[] =>
  (answer.has('breakdown') ? answer.list('breakdown') : []).flatMap(({ json: { detected, detector_type: type } }) =>
    detected === true && typeof type === 'string' ? [type] : [],
  );

/** The policy of the project must not flag the text. */
export const guard = (parameters: GuardParameters, { http }: CheckServices): Check => {
  const { projectID, credentials, baseUrl = 'https://api.lakera.ai' } = parameters;
  const url = urlBelow(baseUrl, '/v2/guard');
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async ({ phase, text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = {
      messages: [{ role: phase === 'input' ? 'user' : 'assistant', content: text }],
      breakdown: true,
      ...(projectID !== undefined && { project_id: projectID }),
    };
    const answer = await askPartner(http, { vendor, url, headers, body, cancellation });
    const flagged = answer.flag('flagged');
    const detected = [...new Set(detectedIn(answer))].sort();
    const found = foundSentence(detected);
    const explanation = `The policy of ${vendor} ${flagged ? 'flags' : 'does not flag'} the text.${found}`;
    return { pass: !flagged, data: { explanation, detected } };
  };
};
