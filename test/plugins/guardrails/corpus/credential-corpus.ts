import { credentials, noCredentials } from './credentials.ts';
import { type Labelled, labelled } from './labelled.ts';
import { seeded } from './random.ts';
import { naming, sentences } from './sentences.ts';

const templatesFor = (name: string | undefined): readonly string[] => {
  if (name === undefined) return sentences;
  return name.includes('{}') ? sentences.map((sentence) => sentence.replace('{}', name)) : naming(name);
};

/** Builds a corpus in which half of the texts contain secrets, and half contain only what looks like one. */
export const credentialCorpus = (seed: number, size: number): readonly Labelled[] => {
  const random = seeded(seed);
  return Array.from({ length: size }, (_, index) => {
    if (index % 2 === 1) return labelled(random.pick(sentences), random.pick(noCredentials)(random));
    const { kind, value, name } = random.pick(credentials)(random);
    return labelled(random.pick(templatesFor(name)), value, kind);
  });
};
