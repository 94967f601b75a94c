import { toTexts } from '../../../../schema/json/loose.ts';
import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of the checks of Prompt Security. */
export interface ProtectParameters {
  readonly credentials: { readonly apiDomain: string; readonly apiKey: string };
  readonly baseUrl?: string;
}

/** The member that contains the text in a request, and its findings in an answer. */
type Part = 'prompt' | 'response';

const vendor = 'Prompt Security';

/** The actions of a policy, and whether each lets a text pass unchanged. */
const actions: ReadonlyMap<string, boolean> = new Map([
  ['allow', true],
  ['log', true],
  ['block', false],
  ['modify', false],
]);

const lets = (found: AnswerReader): boolean => {
  const isLet = actions.get(found.text('action'));
  if (isLet === undefined) throw new Error(`${vendor} answered with status 200, but with an undocumented action.`);
  return isLet && (!found.has('passed') || found.flag('passed'));
};

const toVerdict = (result: AnswerReader, part: Part): Verdict => {
  const found = result.object(part);
  const isWholeLet = !result.has('action') || lets(result);
  const pass = lets(found) && isWholeLet;
  const violations = toTexts(found.json.violations).toSorted();
  const because = foundSentence(violations);
  const explanation = `The policy of ${vendor} ${pass ? 'allows the text' : 'does not allow the text'}.${because}`;
  return { pass, data: { explanation, violations } };
};

const protect =
  (part: Part) =>
  ({ credentials, baseUrl }: ProtectParameters, { http }: CheckServices): Check => {
    const url = urlBelow(baseUrl ?? `https://${credentials.apiDomain}`, '/api/protect');
    const headers = { 'app-id': credentials.apiKey };
    return async ({ text, cancellation }) => {
      if (text.trim() === '') return noText;
      const answer = await askPartner(http, { vendor, url, headers, body: { [part]: text }, cancellation });
      return toVerdict(answer.object('result'), part);
    };
  };

type Create = (parameters: ProtectParameters, services: CheckServices) => Check;

/** The policy must let the prompt pass unchanged. */
export const protectPrompt: Create = protect('prompt');

/** The policy must let the answer pass unchanged. */
export const protectResponse: Create = protect('response');
