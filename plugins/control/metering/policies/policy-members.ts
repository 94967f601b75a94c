/** The members of bodies that both kinds of policies have, as schemas. */

export const nameSchema = {
  anyOf: [{ type: 'string', maxLength: 255 }, { type: 'null' }],
  description: 'What people call it.',
} as const;

export const ifUnknownSchema = {
  type: 'string',
  enum: ['allow', 'refuse'],
  description: 'What happens to requests while counters cannot be asked, or whose use cannot be measured or priced.',
} as const;

export const workspaceSchema = {
  type: 'string',
  description: 'An id or a slug; the workspace that the request acts in if absent. It is needed without a service key.',
} as const;

export const organisationSchema = {
  type: 'string',
  format: 'uuid',
  description: 'Your own organisation; another one is refused. It is needed without a service key.',
} as const;
