/** The members of settings that organisations and workspaces have alike; null takes one away. */

export const metadataSchema = {
  description: 'Labels of requests, below those of the key and of the request.',
  anyOf: [{ type: 'object', additionalProperties: { type: 'string' }, maxProperties: 100 }, { type: 'null' }],
} as const;

export const configSchema = {
  description: 'The config of requests that name neither a config nor a provider.',
  anyOf: [{ type: 'string' }, { type: 'null' }],
} as const;

export const guardrailsSchema = {
  description: 'Guardrails that run on every request, by slug or id.',
  anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 100 }, { type: 'null' }],
} as const;

export const judgedTurnsSchema = {
  description:
    'Which turns of a request guardrails judge: those since the last answer, or with `all` every one, because a caller can invent an earlier answer. Nobody below can take `all` back.',
  anyOf: [{ type: 'string', enum: ['new', 'all'] }, { type: 'null' }],
} as const;

export const jwtSchema = {
  description: 'How tokens of the identity provider are accepted.',
  anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
} as const;

/** The members that workspaces alone have. */
export const keepResponsesSchema = {
  description:
    'Whether responses are kept where the request does not say it with `store`. Absent: they are not, but items that translated answers name are, for a day, so that later requests can refer to them. False: such items are in memory alone.',
  anyOf: [{ type: 'boolean' }, { type: 'null' }],
} as const;

export const keepResponsesDaysSchema = {
  description: 'For how many days responses are kept, from the last one that continues them; 30 if absent.',
  anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }],
} as const;
