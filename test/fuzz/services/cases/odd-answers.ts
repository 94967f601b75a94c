import { type Json, writtenText } from '../../../../schema/json/json.ts';
import { fromPointer } from '../../../../schema/json/pointer.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { mutateBytes } from '../../mutate/bytes.ts';
import { mutateJson, type Pool } from '../../mutate/json.ts';
import { writeOdd } from '../../mutate/values.ts';
import { caseSeed, Random } from '../../support/random.ts';
import { fuzzRuns, fuzzSeed, onlyCase } from '../../support/settings.ts';
import { type Ending, linkedCheck } from '../support/ask-check.ts';
import { at } from '../support/changes.ts';
import { expectPlainWords } from '../support/expect-plain-words.ts';
import { placesIn } from '../support/places.ts';
import { rawAnswers } from '../support/raw-answers.ts';
import type { ServiceCheck } from '../support/service-checks.ts';

/** The share of a dialect's cases that each check gets. */
const share = 1 / 50;

const everywhere: readonly string[] = ['__proto__', 'constructor', 'toString', 'length', '', '0', 'error'];

/**
 * Creates the pool of mutations: the members and texts of a check's good answers, and its secrets, which a service may repeat.
 */
const toPool = (bodies: readonly Json[], secrets: readonly string[]): Pool => {
  const values = bodies.flatMap((body) => placesIn(body).map((place) => at(body, place)));
  const names = bodies.flatMap((body) => placesIn(body).map((place) => fromPointer(place).at(-1) ?? ''));
  const texts = values.filter((value) => typeof value === 'string').map(writtenText);
  return {
    words: [...new Set([...names, ...texts, ...everywhere]), ...secrets, ...secrets],
    donor: (random) => structuredClone(random.pick([null, ...values, ...secrets])),
  };
};

const expectSound = ({ kind, message, shown }: Ending, secrets: readonly string[]): void => {
  if (kind === 'error') expectPlainWords(message, 'an answer is odd');
  if (secrets.some((secret) => shown.includes(secret))) throw new Error(`The result shows a secret: ${shown}`);
};

/**
 * Answers a check with its service's good answers after mutating them in any way. Throws if the check does not end with a
 * verdict or a readable error, or if its result contains a secret.
 */
export const expectEndings = async (check: ServiceCheck): Promise<void> => {
  const cell = linkedCheck(check);
  const situations = [check.passes, ...(check.fails === undefined ? [] : [check.fails])];
  const bodies: Json[] = [];
  for (const situation of situations)
    await cell.ask(situation, ({ body }) => {
      bodies.push(body);
      return { text: JSON.stringify(body) };
    });
  const pool = toPool(bodies, cell.secrets);
  const numbers = Array.from({ length: Math.ceil(fuzzRuns * share) }, (_, number) => number);
  for (const number of onlyCase === undefined ? numbers : [onlyCase]) {
    const random = new Random(caseSeed(fuzzSeed, number));
    const mutated = writeOdd(mutateJson(random.pick(bodies), random, pool));
    const text = random.oneIn(8) ? mutateBytes(Buffer.from(mutated), Buffer.from('{}'), random).toString() : mutated;
    try {
      expectSound(await cell.ask(random.pick(situations), () => ({ text })), cell.secrets);
    } catch (cause) {
      const again = `FUZZ_SEED=${fuzzSeed} FUZZ_CASE=${number}`;
      throw new Error(`${errorText(cause)} Run it again with ${again}.\n${text}`, { cause });
    }
  }
};

/** The checks that read only the status of an answer, or the type of an image. */
const readsNoBody: ReadonlySet<string> = new Set([
  'default.log',
  'default.validUrls',
  'default.inlineImageUrls of an image',
]);

/** Returns the raw answers with which a check passes. */
export const passedRawAnswers = async (check: ServiceCheck): Promise<readonly string[]> => {
  const cell = linkedCheck(check);
  const passed: string[] = [];
  for (const answer of rawAnswers) {
    const ending = await cell.ask(check.passes, () => answer);
    expectSound(ending, cell.secrets);
    if (ending.kind === 'pass' && !readsNoBody.has(check.name)) passed.push(`${answer.status ?? 200} ${answer.text}`);
  }
  return passed;
};
