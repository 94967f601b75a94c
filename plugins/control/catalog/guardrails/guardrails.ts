import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineResource, type Resource } from '../../kernel/resource/define-resource.ts';
import { displayName, json, slug } from '../../kernel/resource/member.ts';

/** The members of guardrails in bodies, as schemas. */

const checksMembers = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  description: 'The checks. They run in this order if the actions set `sequential`.',
  items: {
    type: 'object',
    required: ['id'],
    properties: {
      id: {
        type: 'string',
        minLength: 1,
        description: 'The id of the check, as its plugin defines it, such as `default.contains`.',
      },
      parameters: {
        type: 'object',
        additionalProperties: true,
        default: {},
        description:
          'The parameters of the check, `failOnError` and `timeout`. Secrets are sealed, and read back as placeholders.',
      },
    },
  },
} as const;

/** The outcome if all checks pass, or if one fails. */
const outcomeSchema = {
  type: 'object',
  description: 'What happens when the checks have failed or passed.',
  properties: {
    deny: { type: 'boolean', description: 'Whether to refuse with status 446.' },
    feedback: {
      type: 'object',
      description: 'Feedback that is stored with the request.',
      properties: {
        value: { type: 'number' },
        weight: { type: 'number' },
        metadata: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;

/** The actions that follow from the checks of a guardrail. */
const actionsMembers = {
  type: 'object',
  description: 'What happens when the checks fail or pass, and how they run.',
  properties: {
    deny: { type: 'boolean', description: 'Refuse (status 446) when a check fails.' },
    async: { type: 'boolean', description: 'Run in the background: the answer does not wait.' },
    sequential: { type: 'boolean', description: 'Run one check after another, and stop at the first that fails.' },
    on_fail: outcomeSchema,
    on_success: outcomeSchema,
  },
} as const;

/** The schemas of a guardrail's checks and actions in request bodies. */
export const guardrailSchemas: { readonly checks: ParameterSchema; readonly actions: ParameterSchema } = {
  checks: checksMembers,
  actions: actionsMembers,
};

const fileNotes =
  'FILE is the request as JSON: "checks", a list of { "id", "parameters" }, and "actions"; - is standard input.';

/** Lists of checks that are saved for configs to name. */
export const guardrails: Resource = defineResource({
  noun: 'guardrail',
  plural: 'guardrails',
  path: '/guardrails',
  command: 'guardrails',
  headline: 'Save guardrails.',
  summary: 'Save guardrails on a gateway; configs name them by their slugs.',
  owner: 'either',
  table: 'guardrails',
  members: {
    name: displayName(),
    slug: slug({ description: 'The name used in configs; derived from the display name if absent.', prefix: 'pg' }),
    checks: json(checksMembers),
    actions: json(actionsMembers, { initial: {} }),
  },
  hidden: ['sealed'],
  secrets: async (row) => (await import('./guardrail-rules.ts')).guardrailSecrets(row),
  naming: 'slug',
  max: 10_000,
  feeds: { create: 'plans', update: 'plans', delete: 'plans' },
  overlay: 'guardrails',
  rules: {
    prepare: async (parts, writes) => (await import('./guardrail-rules.ts')).prepareChecks(parts, writes),
    beforeDelete: async (row, db) => (await import('./guardrail-rules.ts')).refuseUsed(row, db),
  },
  shown: ['slug', 'name', 'scope'],
  answers: { create: 'name', update: 'name' },
  summaries: {
    create: 'Saves a guardrail for configs to name.',
    list: 'Lists the guardrails of the workspace and of its organisation without their checks, the newest first.',
    get: 'A guardrail with its checks, by its id or slug, with placeholders for its secrets.',
    update:
      'Changes a guardrail. Its checks must be able to run wherever it is named. Absent members stay as they are.',
    delete: 'Deletes a guardrail that nothing names.',
  },
  commands: {
    get: { shows: { as: 'record', text: 'checks' } },
    create: {
      file: { name: 'FILE', nameAs: 'name' },
      shows: { as: 'said', text: 'The guardrail was saved: configs name it {slug}.' },
      notes: `${fileNotes}\nThe guardrail is named after its file if neither the file nor --name gives a name.`,
    },
    update: { file: { name: 'FILE', optional: true }, notes: fileNotes },
  },
  furtherCommands: {
    try: {
      summary: 'Runs the checks of a guardrail, saved or not, on a text. No model is called.',
      route: 'POST /guardrails/try',
      flags: {
        text: { value: 'TEXT', describe: 'The text to judge.' },
        as: {
          choices: ['request', 'answer'],
          describe: 'Whether it is judged as the text of a request, or of an answer; request by default.',
        },
        guardrail: { value: 'SLUG', describe: 'The saved guardrail to try, instead of FILE.' },
      },
      file: { name: 'FILE', optional: true },
      shows: { as: 'record', text: 'guardrails', passes: { member: 'passed', values: [true] } },
      notes: `${fileNotes}\nThe exit code is 1 if a check fails. Checks may call models, for which the key needs the scope completions.write.`,
    },
  },
});
