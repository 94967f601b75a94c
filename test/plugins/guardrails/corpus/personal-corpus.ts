import { type Labelled, labelled } from './labelled.ts';
import { nearMisses, personalData } from './personal-data.ts';
import { seeded } from './random.ts';
import { naming, sentences } from './sentences.ts';

/** Builds a corpus in which half of the texts contain personal data, and half contain only what looks like it. */
export const personalCorpus = (seed: number, size: number): readonly Labelled[] => {
  const random = seeded(seed);
  return Array.from({ length: size }, (_, index) => {
    if (index % 2 === 1) return labelled(random.pick(sentences), random.pick(nearMisses)(random));
    const { kind, value, name } = random.pick(personalData)(random);
    return labelled(random.pick(name === undefined ? sentences : naming(name)), value, kind);
  });
};
