import type { Replacement, Verdict } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { copyBody, shownData } from '../../../plugins/sdk/guardrail/plain-json.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { AskedRetry } from './asked-retry.ts';
import type { Change } from './checked-part.ts';

/** Limits of one verdict: replacements, the characters that they add, values to restore, and characters of text to report. */
const max = { replacements: 100_000, added: 8 * 1024 * 1024, restored: 10_000, said: 20_000 };

/** A verdict as plain data. */
export interface ReadVerdict {
  readonly pass: boolean;
  readonly data: Json;
  readonly log: Json;
  readonly change: Change | undefined;
  /** Placeholders and the values that they stand for. */
  readonly restore: readonly (readonly [placeholder: string, value: string])[];
  readonly retry: AskedRetry | undefined;
}

const readReplacement = (value: unknown): Replacement => {
  const { span, from, to, with: added }: Partial<Replacement> = Object(value);
  if (typeof span !== 'number' || typeof from !== 'number' || typeof to !== 'number' || typeof added !== 'string')
    throw new TypeError('A replacement must have the numbers "span", "from" and "to", and the text "with".');
  return { span, from, to, with: added };
};

const readReplacements = (value: unknown): readonly Replacement[] => {
  if (!Array.isArray(value)) throw new TypeError('The replacements of a verdict must be a list.');
  if (value.length > max.replacements)
    throw new RangeError(`A verdict can have at most ${max.replacements} replacements.`);
  const replacements = value.map(readReplacement);
  if (replacements.reduce((sum, { with: added }) => sum + added.length, 0) > max.added)
    throw new RangeError(`The replacements of a verdict can have at most ${max.added} characters.`);
  return replacements;
};

const findChange = ({ replace, body }: Verdict): Change | undefined => {
  if (body !== undefined) return { kind: 'body', body: copyBody(body) };
  if (replace === undefined) return undefined;
  const replacements = readReplacements(replace);
  return replacements.length === 0 ? undefined : { kind: 'replace', replacements };
};

const nothingRestored: ReadVerdict['restore'] = [];

const readRestore = (restore: unknown): ReadVerdict['restore'] => {
  if (restore === undefined) return nothingRestored;
  // A Map or a list of pairs has no members to read, so its placeholders would stay in the client's answer.
  if (!isJsonObject(restore) || restore instanceof Map)
    throw new TypeError('"restore" of a verdict must be an object with a text for each placeholder.');
  const entries = Object.entries(restore);
  if (entries.length > max.restored) throw new RangeError(`A verdict can restore at most ${max.restored} values.`);
  return entries.map(([placeholder, value]) => {
    if (typeof value !== 'string' || placeholder === '')
      throw new TypeError('"restore" of a verdict must have a text for each placeholder.');
    return [placeholder, value] as const;
  });
};

const findRetry = (retry: unknown): AskedRetry | undefined => {
  if (retry === undefined) return undefined;
  const { say, choice = 0 }: Partial<AskedRetry> = Object(retry);
  if (typeof say !== 'string' || say === '' || say.length > max.said || !Number.isInteger(choice))
    throw new TypeError(
      `The reply of a verdict to the model must have a text of 1 to ${max.said} characters in "say", and a whole number in "choice".`,
    );
  return { say, choice };
};

/** Why what a verdict requests cannot be done. Its judgement still counts. */
interface Faulty extends Omit<ReadVerdict, 'change' | 'restore' | 'retry'> {
  readonly error: unknown;
}

/** Reads a verdict once. A plugin that was not type-checked may return anything: throws a `TypeError` if it is not a verdict. */
export const readVerdict = (found: Verdict, phase: CheckPhase): ReadVerdict | Faulty => {
  const { pass } = Object(found) as Partial<Verdict>;
  if (typeof pass !== 'boolean') throw new TypeError('The check returned no verdict.');
  const data = shownData(found.data);
  const log = shownData(found.log);
  try {
    return {
      pass,
      data,
      log,
      change: findChange(found),
      restore: phase === 'input' ? readRestore(found.restore) : nothingRestored,
      retry: phase === 'output' && !pass ? findRetry(found.retry) : undefined,
    };
  } catch (reason) {
    return { pass, data, log, error: reason };
  }
};
