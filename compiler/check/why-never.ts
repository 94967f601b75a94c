import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import type { CalledModel } from './providers/called-provider.ts';
import { createCarriage, type NotCarried, type SentParameter } from './why-not-carried.ts';

export interface CalledTarget extends CalledModel {
  readonly spoken: readonly Dialect[];
}

/** Returns why no request can carry a parameter there, if it is certain that none of the dialects can. */
export type WhyNever = (sent: SentParameter) => NotCarried | undefined;

const declaredLoss = (
  { parameter, value }: SentParameter,
  { provider }: Pick<CalledModel, 'provider'>,
): NotCarried | undefined => {
  const loss = provider.losses?.find(({ member }) => member === parameter?.member);
  return loss === undefined || parameter?.of(value) === undefined ? undefined : { kind: 'declared', why: loss.why };
};

const createWhyNever = (called: CalledTarget): WhyNever => {
  const { spoken } = called;
  const whyNotCarried = createCarriage(called, spoken);
  // Text completions have most of the parameters, and clients of that dialect are not translated.
  const completes = spoken.some(({ operation }) => operation === 'complete');
  return (sent) => {
    const declared = declaredLoss(sent, called);
    if (declared !== undefined) return declared;
    const whys = whyNotCarried(sent);
    if (whys === undefined) return undefined;
    const lost = whys.find(({ kind }) => kind === 'lost');
    return lost !== undefined && completes ? undefined : (lost ?? whys[0]);
  };
};

/** How many characters of targets and values are cached with their answers before the whole cache is cleared. */
const maxCharacters = 2_000_000;

/** Caches the targets of a catalogue, because the configs of a folder have many targets and values in common. */
class KnownTargets {
  readonly #whys = new Map<string, WhyNever>();
  #characters = 0;

  find(called: CalledTarget): WhyNever {
    const { provider, model, settings, spoken } = called;
    const key = JSON.stringify([provider.id, model, settings, spoken.map(({ id }) => id)]);
    const known = this.#whys.get(key);
    if (known !== undefined) return known;
    const why = this.#remembered(createWhyNever(called));
    this.#count(key);
    this.#whys.set(key, why);
    return why;
  }

  /** Answers a question about the same parameter and value only once. */
  #remembered(why: WhyNever): WhyNever {
    const answers = new Map<string, NotCarried | undefined>();
    return (sent) => {
      const key = JSON.stringify([sent.name, sent.value]);
      const known = answers.get(key);
      if (known !== undefined || answers.has(key)) return known;
      const answer = why(sent);
      this.#count(key);
      answers.set(key, answer);
      return answer;
    };
  }

  #count({ length }: string): void {
    this.#characters += length;
    if (this.#characters <= maxCharacters) return;
    this.#characters = length;
    this.#whys.clear();
  }
}

const known = new WeakMap<Catalogue, KnownTargets>();

/**
 * Returns the function that explains why a target never carries a parameter. All targets of a catalogue that call the same share
 * it.
 */
export const findWhyNever = (catalogue: Catalogue, called: CalledTarget): WhyNever => {
  const targets = known.get(catalogue) ?? new KnownTargets();
  known.set(catalogue, targets);
  return targets.find(called);
};
