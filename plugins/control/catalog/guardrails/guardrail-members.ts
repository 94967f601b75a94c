/** The members of guardrails in bodies, as schemas. */

export const checksSchema = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  description: 'What is checked, in this order where the actions say `sequential`.',
  items: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, description: 'The check, as its plugin names it: `default.contains`.' },
      parameters: {
        type: 'object',
        additionalProperties: true,
        default: {},
        description:
          'Those of the check, `failOnError` and `timeout`. Secrets are sealed, and read back as placeholders.',
      },
    },
  },
} as const;
