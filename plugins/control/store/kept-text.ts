import { withoutServiceKeys } from '../../../schema/without-service-keys.ts';

/** A text as both databases keep it: without U+0000 and halves of surrogate pairs, and without service keys. */
export const keptText = (text: string): string =>
  withoutServiceKeys(text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
