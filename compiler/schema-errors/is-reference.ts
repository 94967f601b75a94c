import type { Json } from '../../schema/json/json.ts';
import type { SavedRef, SecretRef } from '../../schema/plan/plan.ts';

const reference = /^\$\{(?:env:[A-Za-z_][A-Za-z0-9_]*|file:\/[^{}\p{Cc}]+)\}$/u;

/** A reference in the form that people write. */
type WrittenRef = Exclude<SecretRef, SavedRef>;

/** Whether a text is a reference to a secret: `${env:NAME}` or `${file:/absolute/path}`. */
export const isReference = (text: string): text is WrittenRef => reference.test(text);

/**
 * Whether a text is a reference to a secret of the store. Such references occur only in saved records and may be written nowhere.
 */
export const isSavedReference = (text: string): text is SavedRef => /^\$\{saved:[^{}]+\}$/.test(text);

/** Whether a text looks like a reference, well formed or not. */
export const looksLikeReference = (text: string): boolean =>
  /\$\{\s*(env|file)\b/i.test(text) || /^\$\{.*\}$/s.test(text);

const [open, close] = ['${', '}'];

/** Examples of references, for hints. */
export const referenceForms: string = `${open}env:NAME${close} or ${open}file:/absolute/path${close}`;

/** Whether a value contains a text that looks like a reference. */
export const refersAnywhere = (value: Json): boolean => {
  if (typeof value === 'string') return looksLikeReference(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(refersAnywhere);
};
