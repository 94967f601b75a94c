import type { Json } from '../../../schema/json/json.ts';
import { findNumber, findText } from '../../../schema/json/loose.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';

/** Returns a number of tokens. Lists contain 0 and null for an unknown number. */
export const findTokens = (value: Json | undefined): number | undefined => {
  const number = findNumber(value);
  return number !== undefined && Number.isInteger(number) && number > 0 ? number : undefined;
};

/** Returns the day of a date, or of a date with a time. */
export const findDay = (value: Json | undefined): string | undefined =>
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|T)/.exec(findText(value) ?? '')?.[0];

/**
 * Sorts capabilities by whether a list states that they are supported. Capabilities that it does not mention are in neither
 * result.
 */
export const statedCapabilities = (
  stated: Readonly<Partial<Record<Capability, boolean | undefined>>>,
): { readonly able: readonly Capability[]; readonly unable: readonly Capability[] } => {
  const names = (is: boolean): readonly Capability[] =>
    (Object.keys(stated) as Capability[]).filter((name) => stated[name] === is);
  return { able: names(true), unable: names(false) };
};
