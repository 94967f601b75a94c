import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { LogParts } from '../store/log-store.ts';
import { createFeedbackService, type GivenFeedback } from './feedback-service.ts';

const value = {
  type: 'integer',
  minimum: -10,
  maximum: 10,
  description: 'What the answer is worth, from -10 to 10.',
} as const;
const weight = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'How much the value counts; 1 if nobody says.',
} as const;
const metadata = { type: 'object', maxProperties: 64 } as const;

const givenSchema = {
  type: 'object',
  required: ['trace_id', 'value'],
  properties: {
    trace_id: { type: 'string', minLength: 1, maxLength: 255 },
    value,
    weight,
    metadata,
  },
} as const;

const givenBody: ParameterSchema = {
  anyOf: [givenSchema, { type: 'array', items: givenSchema, minItems: 1, maxItems: 100 }],
};

const savedSchema: ParameterSchema = titled(
  'SavedFeedback',
  objectSchema({
    status: { const: 'success' },
    message: text,
    feedback_ids: { type: 'array', items: text },
  }),
);

const saved = (ids: readonly string[]) =>
  ok({ status: 'success', message: 'The feedback is saved.', feedback_ids: ids });

/** The routes of feedback: whoever sends requests may judge their answers. */
export const feedbackRoutes = (parts: LogParts): readonly ControlRoute[] => {
  const feedback = createFeedbackService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/feedback',
      operationId: 'create_feedback',
      summary: 'Judges the answers of a trace; one judgement, or a list of up to 100.',
      scope: 'completions.write',
      idempotent: true,
      body: givenBody,
      replies: { 200: savedSchema },
      handle: async ({ body }, context) => {
        rejectNulCharacters([body].flat());
        const { tenant } = resolveWorkspace(context, 'completions.write');
        // Its schema has said so. It fills in no default of a choice.
        const given = [body].flat() as unknown as readonly (Omit<GivenFeedback, 'weight'> & { weight?: number })[];
        const weighted = given.map((each) => ({ weight: 1, ...each }));
        return saved(await feedback.give({ tenant, key: context.principal.keyId }, weighted));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/feedback/{id}',
      operationId: 'update_feedback',
      summary: 'Changes a judgement; what is not given stays.',
      scope: 'completions.write',
      body: { type: 'object', properties: { value, weight, metadata } },
      replies: { 200: savedSchema },
      handle: async ({ params, body }, context) => {
        rejectNulCharacters(body);
        const { tenant } = resolveWorkspace(context, 'completions.write');
        const id = params.id.toLowerCase();
        await feedback.change(tenant, id, body);
        return saved([id]);
      },
    }),
  ];
};
