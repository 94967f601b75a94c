import { fromJson } from '../../../schema/from-json.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import type { ParameterSchema } from '../../sdk/from-schema.ts';
import { listOf, recordOf, seconds, text, textOrNull, titled } from '../saved/replies.ts';
import { toSeconds } from '../saved/to-seconds.ts';
import type { GuardrailRow } from '../store/tables.ts';

const open = { type: 'object', additionalProperties: true } as const;

const head = {
  object: { type: 'string', const: 'guardrail' },
  id: text,
  slug: text,
  name: text,
  scope: { type: 'string', enum: ['workspace', 'organisation'] },
  organisation_id: text,
  workspace_id: textOrNull,
  created_at: seconds,
  last_updated_at: seconds,
} as const;

/** What the routes of guardrails answer. */
export const guardrailReplies: Readonly<Record<'guardrail' | 'guardrails' | 'saved', ParameterSchema>> = {
  guardrail: titled('Guardrail', recordOf({ ...head, checks: { type: 'array', items: open }, actions: open })),
  guardrails: listOf(titled('GuardrailSummary', recordOf(head))),
  saved: titled('SavedGuardrail', recordOf({ object: head.object, id: text, slug: text })),
};

/** A guardrail in a list: without its checks. */
export const guardrailHead = (row: GuardrailRow): JsonObject => ({
  object: 'guardrail',
  id: row.id,
  slug: row.slug,
  name: row.name,
  scope: row.workspace_id === null ? 'organisation' : 'workspace',
  organisation_id: row.organisation_id,
  workspace_id: row.workspace_id,
  created_at: toSeconds(row.created_at),
  last_updated_at: toSeconds(row.updated_at),
});

export const guardrailView = (row: GuardrailRow): JsonObject => ({
  ...guardrailHead(row),
  checks: fromJson(row.checks) as Json,
  actions: fromJson(row.actions) as Json,
});
