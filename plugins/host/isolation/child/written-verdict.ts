import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';
import { shownData } from '../../../sdk/guardrail/plain-json.ts';
import { defaultLine } from '../protocol/protocol.ts';

/** The most characters of a verdict on no large input; the rest of a line is for the message around it. */
const defaultVerdict = defaultLine - 1000;

/** A member as JSON; null, which is none of its values, if it cannot be written. A map would be written without what it has. */
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
 * A verdict that can be written as JSON, of which the gateway makes what it makes of the verdict itself. Throws a
 * `RangeError` for one that is larger than a message may be.
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
    `The verdict has ${length} characters, and one of an isolated check on this input may have ${max}. Let it replace parts of the text rather than all of it, or do not isolate the plugin.`,
  );
};
