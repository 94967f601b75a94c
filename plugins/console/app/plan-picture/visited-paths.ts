import type { Visit } from './overlay.ts';

/** An event of a trail, as the log returns it. */
export interface LoggedEvent {
  readonly kind: string;
  readonly path?: string;
  readonly status?: number;
}

/** Returns the paths of the nodes that contain a node: for `/targets/0/targets/1`, they are `` and `/targets/0`. */
const ancestorPaths = (path: string): readonly string[] => {
  const places: string[] = [];
  for (let end = path.length; end > 0; ) {
    end = path.lastIndexOf('/', end - 1);
    places.push(path.slice(0, end));
  }
  return places;
};

/** Returns the nodes that a request visited, by path. The last attempt at a target decides how it ended there. */
export const visitedPaths = (trail: readonly LoggedEvent[]): ReadonlyMap<string, Visit> => {
  const visits = new Map<string, Visit>();
  for (const { kind, path, status } of trail) {
    if (path === undefined) continue;
    for (const place of [...ancestorPaths(path), path]) if (!visits.has(place)) visits.set(place, 'passed');
    if (kind === 'attempted') visits.set(path, status !== undefined && status < 400 ? 'answered' : 'failed');
    if (kind === 'cached') visits.set(path, 'answered');
    if (kind === 'streamFailed') visits.set(path, 'failed');
  }
  return visits;
};
