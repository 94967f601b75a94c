import { UsageError } from './usage-error.ts';

/** Parses the value of an option that takes a number; returns undefined if it is not given. Throws a `UsageError`. */
export const readCount = (option: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`The flag --${option} cannot be "${text}".`, 'It takes a whole number, 0 or more.');
  return Number(text);
};
