import { placeholderSecret } from './saved.ts';

/** The most places that are named, because many configs can refer to one variable. */
const maxPlaces = 4;

/** The report of a secret that still is an example's placeholder: a fact and an instruction, a sentence or two each. */
export interface PlaceholderFact {
  readonly what: string;
  readonly remedy: string;
}

/**
 * Reports that a secret still is the placeholder, where it is used, and what to do. `holder` is for example `variable
 * OPENAI_API_KEY`.
 */
export const placeholderFact = (holder: string, places: readonly string[]): PlaceholderFact => {
  const more = places.length - maxPlaces;
  const shown = more > 0 ? `${places.slice(0, maxPlaces).join(', ')} and ${more} more` : places.join(', ');
  return {
    what: `The ${holder} still has the value "${placeholderSecret}" of an example. It is used in ${shown}.`,
    remedy: `Give the ${holder} the value that is meant, and start the gateway again.`,
  };
};

/** A file with its text. */
interface NamedText {
  readonly file: string;
  readonly text: string;
}

const references = /\$\{env:([^}]+)\}/g;

/** Reports the same for each variable that texts refer to, with the lines. */
export const placeholderFacts = (
  files: readonly NamedText[],
  env: Readonly<Record<string, string | undefined>>,
): readonly PlaceholderFact[] => {
  const places = new Map<string, readonly string[]>();
  for (const { file, text } of files)
    for (const { 1: name = '', index } of text.matchAll(references)) {
      if (env[name] !== placeholderSecret) continue;
      const place = `${file}:${text.slice(0, index).split('\n').length}`;
      places.set(name, [...(places.get(name) ?? []), place]);
    }
  return [...places].map(([name, at]) => placeholderFact(`variable ${name}`, at));
};
