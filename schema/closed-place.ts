import { fromPointer } from './pointer.ts';

const matches = (place: readonly string[], path: readonly string[]): boolean =>
  place.length === path.length && place.every((token, at) => token === '*' || token === path[at]);

/**
 * Which of some places of a schema (`/strategy/conditions/*`) a value's place (`/strategy/conditions/2`) is; where targets
 * are configs again, the place inside the innermost one. Nothing where it is none of them.
 */
export const closedPlace = (places: readonly string[], instancePath: string): string | undefined => {
  const inner = fromPointer(instancePath.replace(/^(\/targets\/\d+)+/, '') as Parameters<typeof fromPointer>[0]);
  // A name of its own is nearer than a place for any name.
  const candidates = places.filter((place) => matches(place === '' ? [] : place.slice(1).split('/'), inner));
  return candidates.sort((a, b) => a.split('*').length - b.split('*').length)[0];
};
