import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerStub,
  partnerKey,
  personalAt,
  type StubbedCheck,
} from './partner-stub.ts';

const credentials = { apiKey: partnerKey };

const flagging = (name: string, parameters: JsonObject = {}): StubbedCheck => ({
  id: `qualifire.${name}`,
  parameters: { ...parameters, credentials },
  finds: 'flagged',
});

const modes: readonly unknown[] = [undefined, 'speed', 'balanced', 'quality'];

/** The detectors by the member of a request that asks for them. */
const detectors = {
  content_moderation_check: 'content_moderation',
  grounding_check: 'grounding',
  hallucinations_check: 'hallucinations',
  pii_check: 'pii',
  prompt_injections: 'prompt_injections',
  assertions: 'assertions',
} as const;

/** https://docs.qualifire.ai/api-reference/endpoint/evaluations/evaluate */
export const qualifireStub: PartnerStub = {
  vendor: 'qualifire',
  origins: ['https://api.qualifire.ai'],
  checks: [
    flagging('contentModeration'),
    flagging('grounding', { mode: 'quality' }),
    flagging('hallucinations'),
    { id: 'qualifire.pii', parameters: { credentials }, finds: 'personal' },
    flagging('policy', { policies: ['It is about the moon.'] }),
    flagging('promptInjections'),
  ],
  answer(call) {
    const headers = { 'x-qualifire-api-key': partnerKey };
    if (!isExpected(call, { path: '/api/v1/evaluation/evaluate', headers }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      input: 'text?',
      output: 'text?',
      content_moderation_check: 'flag?',
      grounding_check: 'flag?',
      grounding_mode: 'text?',
      hallucinations_check: 'flag?',
      hallucinations_mode: 'text?',
      pii_check: 'flag?',
      prompt_injections: 'flag?',
      assertions: 'list?',
      policy_target: 'text?',
    });
    const hasText = body.input !== undefined || body.output !== undefined;
    const hasModes = modes.includes(body.grounding_mode) && modes.includes(body.hallucinations_mode);
    if (wrong.length > 0 || !hasText || !hasModes) return { status: 422, body: { error: 'Validation error' } };
    const text = `${body.input ?? ''}\n${body.output ?? ''}`;
    const evaluationResults = Object.entries(detectors).flatMap(([member, type]) => {
      if (body[member] === undefined) return [];
      const flagged = type === 'pii' ? personalAt(text).length > 0 : isFlagged(text);
      const result = {
        name: type,
        score: flagged ? 0 : 100,
        label: 'L',
        confidence_score: 95,
        reason: text,
        quote: text,
      };
      return [{ type, results: [{ ...result, flagged }] }];
    });
    const failed = evaluationResults.some(({ results }) => results.some(({ flagged }) => flagged));
    return { status: 200, body: { status: failed ? 'failed' : 'success', score: failed ? 0 : 100, evaluationResults } };
  },
};
