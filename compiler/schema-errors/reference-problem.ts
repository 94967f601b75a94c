import type { Json } from '../../schema/json/json.ts';
import { referenceForms } from './is-reference.ts';

/** Returns why a text that looks like a reference is not one, as the end of a sentence. Never quotes the text. */
export const referenceProblem = (text: string): string => {
  if (/^\$\{[^}]*$/.test(text)) return 'the closing brace is missing';
  if (!/^\$\{[^{}]*\}$/.test(text)) return 'it must be the whole value, with nothing around it';
  const inside = text.slice(2, -1);
  if (/\s/.test(inside)) return 'it contains a space';
  const [, kind = '', name = ''] = /^(\w*):(.*)$/s.exec(inside) ?? [];
  if (kind !== 'env' && kind !== 'file') return 'it must begin with "env:" or "file:", in lower case';
  if (kind === 'file') return 'the path of the file must be absolute';
  if (name === '') return 'the name of the variable is missing';
  return 'the name of a variable has only letters, digits and underscores, and does not begin with a digit';
};

/** The ways in which other tools write the name of an environment variable. Matches only names that no secret resembles. */
const variable =
  /^(?:Bearer\s+)?(?:\$\{?\s*|\$?\{\{\s*|%|<|os\.environ\/|process\.env\.|\$\{\{\s*secrets\.)?(?:[eE][nN][vV][.:]\s*)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|ID|PASSWORD))\s*(?:\}\}?|%|>)?$/;

/** Suggests what to write instead of a secret or a malformed reference. */
export const referenceHint = (value: Json): string => {
  const [, name] = typeof value === 'string' && value.length <= 80 ? (variable.exec(value) ?? []) : [];
  return name === undefined
    ? `Write a reference: ${referenceForms}.`
    : `Write ${['$', '{'].join('')}env:${name}}, if this is an environment variable.`;
};
