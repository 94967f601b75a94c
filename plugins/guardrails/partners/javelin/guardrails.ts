import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `javelin.guardrails`. */
export interface GuardrailsParameters {
  readonly credentials: { readonly apiKey: string; readonly application: string; readonly domain: string };
  readonly baseUrl?: string;
}

const vendor = 'Javelin';

/** The assessment of one guardrail of the application. */
interface Assessment {
  readonly name: string;
  readonly rejects: boolean;
}

/** An assessment has a member for each guardrail that judged the text, with its name. */
const toAssessments = (assessment: AnswerReader): readonly Assessment[] =>
  Object.keys(assessment.json).map((name) => ({ name, rejects: assessment.object(name).flag('request_reject') }));

const toVerdict = (answer: AnswerReader): Verdict => {
  const judged = answer.list('assessments').map(toAssessments);
  const found = judged.flat().filter(({ rejects }) => rejects);
  const rejecting = [...new Set(found.map(({ name }) => name))].sort();
  if (rejecting.length === 0 && (judged.length === 0 || judged.some(({ length }) => length === 0)))
    throw new Error(
      `${vendor} answered with status 200, but no guardrail judged the text. Enable one in the policy of the application.`,
    );
  const because = rejecting.length === 0 ? 'does not reject the text' : `rejects the text: ${rejecting.join(', ')}`;
  return {
    pass: rejecting.length === 0,
    data: { explanation: `The policy of the application in ${vendor} ${because}.`, rejecting },
  };
};

/** No guardrail that is enabled for the application may reject the text. Guardrails that only inspect never do. */
export const guardrails = ({ credentials, baseUrl }: GuardrailsParameters, { http }: CheckServices): Check => {
  const { apiKey, application, domain } = credentials;
  const url = urlBelow(baseUrl ?? `https://${domain}`, '/v1/guardrails/apply');
  const headers = { 'x-javelin-apikey': apiKey, 'x-javelin-application': application };
  return async ({ text, cancellation }) => {
    if (text.trim() === '') return noText;
    const body = { input: { text } };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }));
  };
};
