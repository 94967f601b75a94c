import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { Situation } from '../../../guardrails-table/samples/sample.ts';
import { personalData } from '../../../support/partners/partner-stub.ts';
import { writeOdd } from '../../mutate/values.ts';
import { type AskedCheck, type Ending, linkedCheck } from '../support/ask-check.ts';
import { at, type Change, lacking, meaningElse, withValue, wrongNumbers } from '../support/changes.ts';
import { expectPlainWords } from '../support/expect-plain-words.ts';
import { mayLack } from '../support/may-lack.ts';
import { placesIn } from '../support/places.ts';
import type { ServiceCheck } from '../support/service-checks.ts';

/** A check whose service is called in one situation. */
interface Trial {
  readonly check: ServiceCheck;
  readonly cell: AskedCheck;
  readonly situation: Situation;
}

const answered = async ({ cell, situation }: Trial, { name, body }: Change): Promise<Ending> => {
  const ending = await cell.ask(situation, () => ({ text: writeOdd(body) }));
  if (ending.kind === 'error') expectPlainWords(ending.message, name);
  return ending;
};

/** Returns the body with which the service answers. */
const goodBody = async ({ cell, situation }: Trial): Promise<Json> => {
  let good: Json = null;
  await cell.ask(situation, ({ body }) => {
    good = body;
    return { text: JSON.stringify(body) };
  });
  return good;
};

/** Whether a check let a text pass unchanged. */
const isPassed = ({ redacts }: ServiceCheck, { kind, relayed }: Ending): boolean =>
  kind === 'pass' && !(redacts && !relayed.includes(personalData));

/** Returns the changes with which the check lets the text pass. */
const passing = async (trial: Trial, changes: readonly Change[]): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const change of changes) if (isPassed(trial.check, await answered(trial, change))) names.push(change.name);
  return names;
};

const neededIn = ({ check }: Trial, places: readonly JsonPointer[]): readonly JsonPointer[] =>
  places.filter((place) => mayLack[check.id]?.test(place) !== true);

/** Returns the changes of a single place with which a text passes although its service finds fault with it. */
const hidingFaults = async (trial: Trial, bad: Json): Promise<readonly string[]> => {
  const changes = neededIn(trial, placesIn(bad)).flatMap((place) => {
    const isPlaced = trial.check.redacts && typeof at(bad, place) === 'number';
    return [...lacking(bad, place), ...(isPlaced ? wrongNumbers : []).map((value) => withValue(bad, place, value))];
  });
  return passing(trial, changes);
};

/** Returns the places of an answer that decide the verdict: with another value of the same type, it changes. */
const decidingIn = async (trial: Trial, good: Json, bad: Json): Promise<readonly JsonPointer[]> => {
  const found: JsonPointer[] = [];
  for (const place of placesIn(good)) {
    const changes = meaningElse(good, bad, place);
    if ((await passing(trial, changes)).length < changes.length) found.push(place);
  }
  return found;
};

/** Returns the changes with which a text passes although a deciding place is absent or has the wrong type. */
const passingUnjudged = async (trial: Trial, good: Json, bad: Json): Promise<readonly string[]> => {
  const deciding = await decidingIn(trial, good, bad);
  const within = placesIn(good).filter((place) =>
    deciding.some((each) => each === place || each.startsWith(`${place}/`)),
  );
  const changes = neededIn(trial, within).flatMap((place) => {
    const [value, other] = [at(good, place), at(bad, place)];
    // A list with an additional item that finds fault.
    const longer = Array.isArray(value) && Array.isArray(other) ? [withValue(good, place, [...value, ...other])] : [];
    return [...lacking(good, place), ...longer];
  });
  return passing(trial, changes);
};

/**
 * Changes each place of a service's good answers, one at a time. Returns the changes with which a text passes although it must
 * not: something that decides the verdict is absent or has a wrong type, or what the service found is not replaced. Throws if
 * an error of the check is not readable.
 */
export const passedWrongly = async (check: ServiceCheck): Promise<readonly string[]> => {
  const cell = linkedCheck(check);
  const passes = { check, cell, situation: check.passes };
  const good = await goodBody(passes);
  if (check.fails === undefined) return passingUnjudged(passes, good, null);
  const fails = { check, cell, situation: check.fails };
  const bad = await goodBody(fails);
  return [...(await hidingFaults(fails, bad)), ...(await passingUnjudged(passes, good, bad))];
};
