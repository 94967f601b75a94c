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

/** The detectors, by the request member that enables each. */
const detectors = {
  content_moderation_check: 'content_moderation',
  grounding_check: 'grounding',
  hallucinations_check: 'hallucinations',
  pii_check: 'pii',
  prompt_injections: 'prompt_injections',
  assertions: 'assertions',
  tool_use_quality_check: 'tool_use_quality',
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
    { ...flagging('toolUseQuality'), judgesCalls: true },
  ],
  answer(call) {
    const headers = { 'x-qualifire-api-key': partnerKey };
    if (!isExpected(call, { path: '/api/v1/evaluation/evaluate', headers }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = [
      ...misfits(body, {
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
        messages: 'list?',
        available_tools: 'list?',
        tool_use_quality_check: 'flag?',
        tuq_mode: 'text?',
      }),
    ];
    const { messages = [], available_tools: tools = [] } = body as { readonly [name: string]: readonly JsonObject[] };
    const isMissing = body.tool_use_quality_check === true && (messages.length === 0 || tools.length === 0);
    wrong.push(
      ...messages.flatMap((each) => misfits(each, { role: 'text', content: 'text', tool_calls: 'list?' })),
      ...messages
        .flatMap(({ tool_calls: calls = [] }) => calls as readonly JsonObject[])
        .flatMap((each) => misfits(each, { name: 'text', arguments: 'object', id: 'text?' })),
      ...tools.flatMap((each) => misfits(each, { name: 'text', description: 'text', parameters: 'object' })),
    );
    const hasText = body.input !== undefined || body.output !== undefined || (messages.length > 0 && !isMissing);
    const hasModes = ['grounding_mode', 'hallucinations_mode', 'tuq_mode'].every((name) => modes.includes(body[name]));
    if (wrong.length > 0 || !hasText || !hasModes) return { status: 422, body: { error: 'Validation error' } };
    const text = `${body.input ?? ''}\n${body.output ?? ''}\n${JSON.stringify(messages.slice(-1))}`;
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
