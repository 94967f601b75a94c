import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { shownData } from '../../../sdk/guardrail/plain-json.ts';
import { defaultLine } from '../protocol/protocol.ts';

/** The maximum length of a verdict, unless the input is large. The rest of a line is for the message around the verdict. */
const defaultVerdict = defaultLine - 1000;

/**
 * Returns a member as JSON, or null if it cannot be written; null is not a valid value of any member. A map would be written
 * without its entries.
 */
const written = (value: unknown): unknown => {
  if (value === undefined) return undefined;
  if (value instanceof Map) return null;
  try {
    return fromJson(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
};

/**
 * Converts a verdict to JSON such that the gateway treats it like the verdict itself. Throws a `RangeError` if it is larger than
 * a message may be.
 */
export const writtenVerdict = (found: Verdict, inputLength: () => number): unknown => {
  const { pass, data, log, replace, body, restore, retry }: Partial<Verdict> = Object(found);
  const verdict = {
    pass,
    data: shownData(data),
    ...(log !== undefined && { log: shownData(log) }),
    replace: written(replace),
    body: written(body),
    restore: written(restore),
    retry: written(retry),
  };
  const { length } = JSON.stringify(verdict);
  if (length <= defaultVerdict) return verdict;
  const max = defaultVerdict + 2 * inputLength();
  if (length <= max) return verdict;
  throw new RangeError(
    `The verdict has ${length} characters, but an isolated check may return at most ${max} for this input. Let it replace parts of the text rather than all of it, or do not isolate the plugin.`,
  );
};
