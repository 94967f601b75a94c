import { defineResource, type Resource } from '../kernel/resource/define-resource.ts';
import { displayName, json, slug } from '../kernel/resource/member.ts';
import { conflict } from '../saved/refusals.ts';
import { usesWords } from '../saved/uses-words.ts';
import { checksSchema } from './guardrail-members.ts';
import { sealChecks, storedChecks } from './guardrail-secrets.ts';
import { refuseBrokenUses } from './refuse-broken-uses.ts';
import { usesOfGuardrail } from './uses-of-guardrail.ts';
import { validateGuardrail } from './validate-guardrail.ts';

/** What follows where all checks pass, or where one fails. */
const outcomeSchema = {
  type: 'object',
  description: 'What follows when the checks have failed, or passed.',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446).' },
    feedback: {
      type: 'object',
      description: 'A mark that is kept with the request.',
      properties: {
        value: { type: 'number' },
        weight: { type: 'number' },
        metadata: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;

/** What follows from the checks of a guardrail. */
const actionsSchema = {
  type: 'object',
  description: 'What follows when the checks fail, or pass, and how they run.',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446) when a check fails.' },
    async: { type: 'boolean', description: 'Run in the background: the answer does not wait.' },
    sequential: { type: 'boolean', description: 'One check after another, and no more once one fails.' },
    on_fail: outcomeSchema,
    on_success: outcomeSchema,
  },
} as const;

const fileNotes =
  'FILE is the request as JSON: "checks", a list of { "id", "parameters" }, and "actions"; - is standard input.';

/** Checks that are saved for configs to name. */
export const guardrails: Resource = defineResource({
  noun: 'guardrail',
  plural: 'guardrails',
  path: '/guardrails',
  command: 'guardrails',
  summary: 'Save guardrails on a gateway; configs name them by their slugs.',
  scope: 'guardrails',
  owner: 'either',
  table: 'guardrails',
  members: {
    name: displayName(),
    slug: slug({ description: 'What configs name it by; made of the name where absent.', prefix: 'pg' }),
    checks: json(checksSchema),
    actions: json(actionsSchema, { initial: {} }),
  },
  hidden: ['sealed'],
  naming: 'slug',
  max: 10_000,
  feeds: { create: 'plans', update: 'plans', delete: 'plans' },
  overlay: 'guardrails',
  rules: {
    /** Other checks must run wherever the guardrail is named, or nothing is changed. */
    async prepare(parts, { caller, body: { checks }, row, before }) {
      if (checks === undefined) return {};
      const stored = before && storedChecks(before);
      const validated = await validateGuardrail(parts, {
        tenant: caller.tenant,
        slug: row.slug,
        checks,
        before: stored,
      });
      const sealed = await sealChecks(parts.sealer, {
        checks: validated.checks,
        pointers: validated.secretPlaces,
        row,
      });
      return {
        columns: sealed,
        check: async (db) => (before === undefined ? undefined : refuseBrokenUses(db, row, validated.faults)),
      };
    },
    async beforeDelete(row, db) {
      const uses = await usesOfGuardrail(db, row);
      if (uses.length > 0)
        throw conflict(`The guardrail "${row.slug}" is named by ${usesWords(uses)}.`, 'Take it out there first.');
    },
  },
  shown: ['slug', 'name', 'scope'],
  answers: 'name',
  summaries: {
    create: 'Saves a guardrail for configs to name.',
    list: 'Lists the guardrails of the workspace and of its organisation without their checks, the newest first.',
    get: 'A guardrail with its checks, by its id or slug, with placeholders for its secrets.',
    update: 'Changes a guardrail, whose checks must run wherever it is named; what is absent stays as it is.',
    delete: 'Deletes a guardrail that nothing names.',
  },
  commands: {
    get: { shows: { as: 'record', text: 'checks' } },
    create: {
      file: { name: 'FILE', nameAs: 'name' },
      shows: { as: 'said', text: 'The guardrail is saved: configs name it {slug}.' },
      notes: `${fileNotes}\nThe guardrail is called like its file where neither it nor --name says a name.`,
    },
    update: { file: { name: 'FILE', optional: true }, notes: fileNotes },
  },
});
