import { placeholderSecret } from './saved.ts';

/** The most places that are named; configs that refer to one variable can be many. */
const maxPlaces = 4;

/** A secret that is still the placeholder of an example: a fact and an instruction, a sentence or two each. */
export interface PlaceholderFact {
  readonly what: string;
  readonly remedy: string;
}

/**
 * Says that a secret still is the placeholder, where it is used, and what to do. `holder` is such as `variable OPENAI_API_KEY`.
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

/** Says the same of each variable that texts refer to, by their lines. */
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
