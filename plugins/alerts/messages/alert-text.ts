import type { Alert } from './alert.ts';

/** Returns a text of at most `max` characters. If it was cut off, the last character is an ellipsis. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** Returns the title, with the number of other occurrences that the message stands for. */
export const countedTitle = ({ title, state, count, samples }: Alert): string => {
  if (count <= 1) return title;
  if (state !== 'once') return `${title} It has changed ${count} times since the last message.`;
  const others = samples.length > 1 ? ` Among them are ${samples.join(', ')}.` : '';
  return `${title} This has happened ${count} times since the last message.${others}`;
};
