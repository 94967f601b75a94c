import type { Json } from '../../../../../schema/json/json.ts';
import { TemplateError } from './template-error.ts';

const jsonText = (value: Json): string => {
  try {
    return JSON.stringify(value);
  } catch {
    throw new TemplateError('A variable is nested too deeply to be written as JSON.');
  }
};

/** A value as text: strings as they are, objects and lists as JSON, and nothing for null and what is missing. */
export const valueText = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? jsonText(value) : String(value);
};
