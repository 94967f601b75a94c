import type { ElementPath } from '../../../schema/plan/condition.ts';

/** The path of a member of an element; nothing for a text with an empty key. */
export const elementPath = (text: string): ElementPath | undefined => {
  const path = text.split('.');
  return path.every((key) => key !== '') ? path : undefined;
};

/** Suggests how the member of an element is written instead of `text`. */
export const elementSuggestion = (text: string): string => {
  const keys = text.split('.').filter((key) => key !== '');
  return keys.length === 0
    ? 'Name a member of the element, or write operators to compare the element itself.'
    : `Write "${keys.join('.')}" for the member of an element.`;
};
