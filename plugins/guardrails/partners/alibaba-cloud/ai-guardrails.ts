import { randomUUID } from 'node:crypto';
import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';
import { judgePieces } from '../pieces/judge-pieces.ts';
import { type AcsCredentials, signAcs } from './sign-acs.ts';

/** The parameters of `alibaba-cloud.aiGuardrails`. */
export interface AiGuardrailsParameters {
  readonly inputService?: string;
  readonly outputService?: string;
  readonly credentials: AcsCredentials & { readonly region: string };
  readonly baseUrl?: string;
}

const vendor = 'Alibaba Cloud AI Guardrails';

/** The maximum number of characters in one request. */
const maxCharacters = 2000;

const contentType = 'application/x-www-form-urlencoded';

/** The service's suggestion for one piece of a text, and the kinds of risk that it is based on. */
interface Judged {
  readonly suggestion: string;
  readonly found: readonly string[];
}

/** The verbs for what the policy does, by suggestion. */
const suggestions: ReadonlyMap<string, string> = new Map([
  ['block', 'blocks'],
  ['mask', 'masks parts of'],
]);

const readJudged = (answer: AnswerReader): Judged => {
  // The service has its own status in the body.
  if (answer.count('Code') !== 200)
    throw new Error(
      `${vendor} answered with status 200, but with the code ${answer.count('Code')}: it did not judge the text. Check the services and the region of the check.`,
    );
  const data = answer.object('Data');
  const suggestion = data.text('Suggestion');
  if (suggestion !== 'pass' && !suggestions.has(suggestion))
    throw new Error(`${vendor} answered with status 200, but with an undocumented suggestion.`);
  const found = (data.has('Detail') ? data.list('Detail') : []).flatMap((detail) =>
    detail.has('Suggestion') && detail.text('Suggestion') !== 'pass' ? [detail.text('Type')] : [],
  );
  return { suggestion, found };
};

const toVerdict = (judged: readonly Judged[]): Verdict => {
  const does = [...suggestions].find(([each]) => judged.some(({ suggestion }) => suggestion === each))?.[1];
  const found = [...new Set(judged.flatMap((each) => each.found))].sort();
  const names = foundSentence(found);
  const explanation = `${vendor} ${does ?? 'allows'} the text.${names}`;
  return { pass: does === undefined, data: { explanation, found } };
};

/** Returns the account's services that judge prompts and answers. Outside of China, their names have another suffix. */
const defaultServices = (region: string) => {
  const end = region.startsWith('cn-') ? '' : '_intl';
  return { input: `query_security_check${end}`, output: `response_security_check${end}` };
};

/** The rules of the service must let the text pass. Text that they would mask fails the check: nothing is replaced. */
export const aiGuardrails = (parameters: AiGuardrailsParameters, { http, timers }: CheckServices): Check => {
  const { credentials, inputService, outputService } = parameters;
  const { region } = credentials;
  const url = urlBelow(parameters.baseUrl ?? `https://green-cip.${region}.aliyuncs.com`, '/');
  const { host, pathname: path } = new URL(url);
  const { input, output } = defaultServices(region);
  const services = { input: inputService ?? input, output: outputService ?? output };
  return async ({ phase, text, cancellation }) => {
    if (text.trim() === '') return noText;
    const ask = async (content: string): Promise<readonly Judged[]> => {
      const body = new URLSearchParams({
        Service: services[phase],
        ServiceParameters: JSON.stringify({ content }),
      }).toString();
      const call = { host, path, query: '', action: 'MultiModalGuard', version: '2022-03-02', contentType, body };
      const headers = signAcs({ ...call, nonce: randomUUID(), now: timers.wall() }, credentials);
      return [readJudged(await askPartner(http, { vendor, url, headers, body, cancellation }))];
    };
    return toVerdict(await judgePieces(text, maxCharacters, (piece) => ask(piece.text)));
  };
};
