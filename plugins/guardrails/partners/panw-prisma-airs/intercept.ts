import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `panw-prisma-airs.intercept`. */
export interface InterceptParameters {
  readonly profile_name?: string;
  readonly profile_id?: string;
  readonly ai_model?: string;
  readonly app_user?: string;
  readonly credentials: { readonly AIRS_API_KEY: string };
  readonly baseUrl?: string;
}

const vendor = 'Prisma AIRS';

/** The host in the United States. For others, see https://pan.dev/prisma-airs/scan/api */
const defaultUrl = 'https://service.api.aisecurity.paloaltonetworks.com';

const detectedIn = (answer: AnswerReader, member: string): readonly string[] =>
  answer.has(member)
    ? Object.entries(answer.object(member).json).flatMap(([name, isDetected]) => (isDetected === true ? [name] : []))
    : [];

const toVerdict = (answer: AnswerReader): Verdict => {
  const action = answer.text('action');
  if (action !== 'allow' && action !== 'block')
    throw new Error(`${vendor} answered with status 200, but its action is neither "allow" nor "block".`);
  const detected = [...detectedIn(answer, 'prompt_detected'), ...detectedIn(answer, 'response_detected')].sort();
  const found = foundSentence(detected);
  return {
    pass: action === 'allow',
    data: {
      explanation: `The security profile of ${vendor} ${action}s the text.${found}`,
      category: answer.text('category'),
      scan_id: answer.text('scan_id'),
      detected,
    },
  };
};

/** The security profile must allow the text. */
export const intercept = (parameters: InterceptParameters, { http }: CheckServices): Check => {
  const { profile_name, profile_id, ai_model, app_user, credentials, baseUrl = defaultUrl } = parameters;
  const url = urlBelow(baseUrl, '/v1/scan/sync/request');
  const headers = { 'x-pan-token': credentials.AIRS_API_KEY };
  const ai_profile = {
    ...(profile_name !== undefined && { profile_name }),
    ...(profile_id !== undefined && { profile_id }),
  };
  return async ({ phase, text, target, cancellation }) => {
    if (text.trim() === '') return noText;
    const model = ai_model ?? target.model;
    const body = {
      ai_profile,
      metadata: {
        app_name: 'gatewright',
        ...(model !== undefined && { ai_model: model }),
        ...(app_user !== undefined && { app_user }),
      },
      contents: [phase === 'input' ? { prompt: text } : { response: text }],
    };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }));
  };
};
