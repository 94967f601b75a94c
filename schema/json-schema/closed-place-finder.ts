import { fromPointer, type JsonPointer } from '../json/pointer.ts';

const matches = (place: readonly string[], path: readonly string[]): boolean =>
  place.length === path.length && place.every((token, at) => token === '*' || token === path[at]);

const names = (place: string): number => fromPointer(place as JsonPointer).filter((token) => token !== '*').length;

/**
 * Finds the place in a schema (`/strategy/conditions/*`) for a value's place (`/strategy/conditions/2`). Because targets are
 * configs themselves, it is the place inside the innermost one. Undefined if there is none.
 */
export const closedPlaceFinder = (places: readonly string[]): ((instancePath: JsonPointer) => string | undefined) => {
  // A specific name takes precedence over `*`.
  const patterns = [...places]
    .sort((a, b) => names(b) - names(a))
    .map((place) => ({ place, tokens: fromPointer(place as JsonPointer) }));
  let last: { readonly path: JsonPointer; readonly place: string | undefined } | undefined;
  return (path) => {
    // Several errors in a row often concern the same object, so the last one is remembered.
    if (last?.path !== path) {
      const inner = fromPointer(path.replace(/^(\/targets\/\d+)+/, '') as JsonPointer);
      last = { path, place: patterns.find(({ tokens }) => matches(tokens, inner))?.place };
    }
    return last.place;
  };
};
