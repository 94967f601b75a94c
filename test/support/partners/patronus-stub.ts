import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerAnswer,
  type PartnerStub,
  partnerKey,
  personalAt,
  personalData,
  type StubbedCheck,
} from './partner-stub.ts';

const credentials = { apiKey: partnerKey };

const check = (name: string, finds: StubbedCheck['finds'] = 'flagged', more: JsonObject = {}): StubbedCheck => ({
  id: `patronus.${name}`,
  parameters: { ...more, credentials },
  ...(finds !== undefined && { finds }),
});

/** The members that each evaluator requires, according to the documentation. */
const required: { readonly [evaluator: string]: readonly string[] } = {
  'answer-relevance': ['evaluated_model_input', 'evaluated_model_output'],
  hallucination: ['evaluated_model_input', 'evaluated_model_output', 'evaluated_model_retrieved_context'],
  judge: [],
  phi: ['evaluated_model_output'],
  pii: ['evaluated_model_output'],
  toxicity: ['evaluated_model_output'],
};

/** Counts characters as Python does: by code points. */
const points = (text: string): number => [...text].length;

const positionsIn = (text: string): readonly (readonly [number, number])[] =>
  personalAt(text).map((at) => {
    const start = points(text.slice(0, at));
    return [start, start + points(personalData)];
  });

const evaluate = (evaluator: string, criteria: string | null, output: string): JsonObject => {
  const finds = evaluator === 'pii' || evaluator === 'phi';
  const positions = finds ? positionsIn(output) : null;
  const passes = positions === null ? !isFlagged(output) : positions.length === 0;
  return {
    evaluator_id: `${evaluator}-2024-05-31`,
    criteria,
    status: 'success',
    error_message: null,
    evaluation_result: {
      id: '112825180249230909',
      evaluator_id: `${evaluator}-2024-05-31`,
      criteria,
      evaluated_model_output: output,
      pass: passes,
      score_raw: passes ? 1 : 0,
      additional_info: { positions, extra: null, confidence_interval: null },
      explanation: null,
      tags: {},
    },
  };
};

const refused = (status: number): PartnerAnswer => ({ status, body: { detail: `Not accepted: ${flaggedWord}` } });

/** https://docs.patronus.ai/docs/evaluation_api/reference_guide */
export const patronusStub: PartnerStub = {
  vendor: 'patronus',
  origins: ['https://api.patronus.ai'],
  checks: [
    check('custom', 'flagged', { profile: 'judge:is-on-brand' }),
    check('isConcise'),
    check('isHelpful'),
    check('isPolite'),
    check('noApologies'),
    check('noGenderBias'),
    check('noRacialBias'),
    check('phi', 'personal'),
    check('pii', 'personal'),
    check('retrievalAnswerRelevance'),
    check('retrievalHallucination'),
    check('toxicity'),
  ],
  answer(call) {
    if (!isExpected(call, { path: '/v1/evaluate', headers: { 'x-api-key': partnerKey } })) return refused(401);
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      evaluators: 'list',
      evaluated_model_input: 'text?',
      evaluated_model_output: 'text?',
      evaluated_model_retrieved_context: 'list?',
    });
    const [asked = {}] = (body.evaluators ?? []) as readonly JsonObject[];
    const unknown = misfits(asked, { evaluator: 'text', criteria: 'text?', explain_strategy: 'text?' });
    const { evaluator, criteria = null } = asked as { readonly evaluator: string; readonly criteria?: string };
    const lacking = required[evaluator]?.filter((name) => !Object.hasOwn(body, name)) ?? [evaluator];
    if ([...wrong, ...unknown, ...lacking].length > 0) return refused(422);
    return { status: 200, body: { results: [evaluate(evaluator, criteria, String(body.evaluated_model_output))] } };
  },
};
