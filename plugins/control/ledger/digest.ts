import { hash } from 'node:crypto';

/** A text of 43 characters that stands for a list of texts and numbers. */
export const digest = (values: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(values), 'base64url');
