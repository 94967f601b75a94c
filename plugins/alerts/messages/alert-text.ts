import type { Alert } from './alert.ts';

/** A text of at most so many characters, of which the last says that something was cut off. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** The title, with how many others the message stands for. */
export const countedTitle = ({ title, state, count, samples }: Alert): string => {
  if (count <= 1) return title;
  if (state !== 'once') return `${title} It has changed ${count} times since the last message.`;
  const others = samples.length > 1 ? ` Among them are ${samples.join(', ')}.` : '';
  return `${title} This has happened ${count} times since the last message.${others}`;
};
