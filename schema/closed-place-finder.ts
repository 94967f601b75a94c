import { fromPointer, type JsonPointer } from './pointer.ts';

const matches = (place: readonly string[], path: readonly string[]): boolean =>
  place.length === path.length && place.every((token, at) => token === '*' || token === path[at]);

const names = (place: string): number => fromPointer(place as JsonPointer).filter((token) => token !== '*').length;

/**
 * Tells which of some places of a schema (`/strategy/conditions/*`) a value's place (`/strategy/conditions/2`) is; where
 * targets are configs again, the place inside the innermost one. Nothing where it is none of them.
 */
export const closedPlaceFinder = (places: readonly string[]): ((instancePath: JsonPointer) => string | undefined) => {
  // A name of its own is nearer than a place for any name.
  const patterns = [...places]
    .sort((a, b) => names(b) - names(a))
    .map((place) => ({ place, tokens: fromPointer(place as JsonPointer) }));
  let last: { readonly path: JsonPointer; readonly place: string | undefined } | undefined;
  return (path) => {
    // Mistakes come in runs: a long one of the same object is looked up once.
    if (last?.path !== path) {
      const inner = fromPointer(path.replace(/^(\/targets\/\d+)+/, '') as JsonPointer);
      last = { path, place: patterns.find(({ tokens }) => matches(tokens, inner))?.place };
    }
    return last.place;
  };
};
