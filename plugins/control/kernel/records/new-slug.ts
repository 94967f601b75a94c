import { randomBytes } from 'node:crypto';

/** The schema of slugs, for a member or a parameter. */
export const slugSchema = {
  type: 'string',
  pattern: '^[a-zA-Z0-9_-]+$',
  minLength: 1,
  maxLength: 255,
  description: 'Letters, digits, "-" and "_".',
} as const;

/** Creates a slug from a name, with six random hexadecimal digits at the end so that equal names get different slugs. */
export const newSlug = (name: string, prefix = ''): string => {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 200);
  const parts = [prefix, words.replaceAll(/^-+|-+$/g, ''), randomBytes(3).toString('hex')];
  return parts.filter((part) => part !== '').join('-');
};
