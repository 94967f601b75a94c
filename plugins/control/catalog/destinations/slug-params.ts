/** The parameters of a path that names a record by its slug. */
export const slugParams = {
  type: 'object',
  required: ['slug'],
  properties: { slug: { type: 'string', pattern: '^[a-zA-Z0-9_-]+$', maxLength: 255 } },
} as const;
