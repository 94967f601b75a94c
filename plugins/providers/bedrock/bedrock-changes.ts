import { changesAccount } from '../../sdk/provider/account-changes/changes-account.ts';
import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import type { ChangesAccount } from '../../sdk/provider/account-changes/passed-request.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_Operations_Amazon_Bedrock_Runtime.html */
const modelCalls: ReadonlySet<string> = new Set([
  ...['invoke', 'invoke-with-response-stream', 'invoke-with-bidirectional-stream'],
  ...['converse', 'converse-stream', 'count-tokens'],
]);

/** Jobs that callers create for themselves, and stop. */
const jobs: ReadonlySet<string> = new Set([
  ...['async-invoke', 'model-invocation-job', 'model-invocation-jobs', 'model-customization-jobs'],
]);

const allows = ({ method, segments }: AllowedRequest): boolean => {
  const [first = '', second] = segments;
  const last = segments.at(-1) ?? '';
  if (method !== 'POST') return false;
  if (first === 'model') return modelCalls.has(last);
  if (first === 'guardrail') return last === 'apply';
  return jobs.has(first) && (second === undefined || last === 'stop');
};

const changesOwn = onlyAllows(allows);

/** The control plane creates and deletes models, guardrails, endpoints and agreements. OpenAI's paths are below `/openai`. */
export const bedrockChanges: ChangesAccount = (request) =>
  /^\/openai\//.test(request.path) ? changesAccount(request) : changesOwn(request);
