import { isJsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `zscaler.aiGuard`. */
export interface AiGuardParameters {
  /** An integer in decimal digits. */
  readonly policyId?: string;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Zscaler AI Guard';

/** The actions of a policy, and the effect of each on a text. */
const actions: ReadonlyMap<string, { readonly pass: boolean; readonly does: string }> = new Map([
  ['ALLOW', { pass: true, does: 'allows' }],
  ['DETECT', { pass: true, does: 'warns of, and allows,' }],
  ['BLOCK', { pass: false, does: 'blocks' }],
]);

/** Returns the detectors that were triggered. Only the overall action decides. */
const detectedIn = (answer: AnswerReader): readonly string[] =>
  Object.entries(answer.has('detectorResponses') ? answer.object('detectorResponses').json : {})
    .flatMap(([name, found]) => (isJsonObject(found) && found.triggered === true ? [name] : []))
    .sort();

const toVerdict = (answer: AnswerReader, text: string): Verdict => {
  // The service has its own status in the body.
  if (answer.count('statusCode') !== 200)
    throw new Error(`${vendor} answered with status 200, but it did not judge the text.`);
  const action = actions.get(answer.text('action'));
  if (action === undefined) throw new Error(`${vendor} answered with status 200, but with an undocumented action.`);
  const isMasked = answer.has('maskedContent') && answer.text('maskedContent') !== text;
  const failed = answer.has('detectorErrorCount') ? answer.count('detectorErrorCount') : 0;
  if (action.pass && !isMasked && failed > 0)
    throw new Error(`${vendor} answered with status 200, but ${failed} of its detectors did not judge the text.`);
  const detected = detectedIn(answer);
  const found = foundSentence(detected);
  const does = isMasked && action.pass ? 'masks parts of' : action.does;
  const explanation = `The policy of ${vendor} ${does} the text.${found}`;
  return { pass: action.pass && !isMasked, data: { explanation, detected } };
};

/** The policy must allow the text unchanged. */
export const aiGuard = (parameters: AiGuardParameters, { http }: CheckServices): Check => {
  const { policyId, credentials, baseUrl = 'https://api.us1.zseclipse.net' } = parameters;
  const path = policyId === undefined ? 'resolve-and-execute-policy' : 'execute-policy';
  const url = urlBelow(baseUrl, `/v1/detection/${path}`);
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async ({ phase, text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = {
      content: text,
      direction: phase === 'input' ? 'IN' : 'OUT',
      ...(policyId !== undefined && { policyId: Number(policyId) }),
    };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }), text);
  };
};
