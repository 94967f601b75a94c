import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckInput, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `aporia.validateProject`. */
export interface ValidateProjectParameters {
  readonly projectID: string;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Aporia';

const by: { readonly [action: string]: string } = {
  passthrough: 'allow the text',
  block: 'block the text',
  modify: 'would change the text',
  rephrase: 'would rephrase the text',
};

const toVerdict = (answer: AnswerReader): Verdict => {
  const action = answer.text('action');
  const what = Object.hasOwn(by, action) ? by[action] : undefined;
  if (what === undefined) throw new Error(`${vendor} answered with status 200, but with an undocumented action.`);
  const explanation = `The policies of the project in ${vendor} ${what}.`;
  return { pass: action === 'passthrough', data: { explanation, action } };
};

const message = (role: string, text: string | undefined): readonly JsonObject[] =>
  text === undefined || text.trim() === '' ? [] : [{ role, content: text }];

const toBody = ({ phase, text, request }: CheckInput): JsonObject =>
  phase === 'input'
    ? { messages: message('user', text), validation_target: 'prompt' }
    : { messages: message('user', request.text), validation_target: 'response', response: text };

/** The policies of the project must let the text pass. Text that they would change fails the check: nothing is replaced. */
export const validateProject = (
  { projectID, credentials, baseUrl = 'https://gr-prd.aporia.com' }: ValidateProjectParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, `/${projectID}/validate`);
  const headers = { 'x-aporia-api-key': credentials.apiKey };
  return async (input) => {
    if (input.text.trim() === '') return noText;
    const { cancellation } = input;
    return toVerdict(await askPartner(http, { vendor, url, headers, body: toBody(input), cancellation }));
  };
};
