import { type CacheDefinition, defineCache } from '../../plugins/sdk/cache/cache.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { mapLeaves } from '../../schema/plan/map-branches.ts';
import type { PlanNode, Stage } from '../../schema/plan/plan.ts';
import type { TrailEvent, TrailEventOf } from '../../schema/trail/trail.ts';

/** A plan whose caches contain what they contained when a request was recorded, and those caches. */
export interface RecordedCaches {
  readonly root: PlanNode;
  readonly caches: readonly CacheDefinition[];
}

/** A stored answer of the recorded age. Logs contain no bodies. */
const holding = (mode: string, { ageS, status, similarity }: TrailEventOf<'cached'>): CacheDefinition =>
  defineCache({
    mode,
    create: (_options, { timers }) => ({
      read() {
        const storedAt = timers.wall() - ageS * 1000;
        const entry = {
          headers: ['content-type', 'application/json'],
          body: Buffer.from('{}'),
          isStream: false,
          storedAt,
        };
        return {
          ...{ kind: 'hit', entry },
          ...(status === 'SEMANTIC HIT' && { similar: true }),
          ...(similarity !== undefined && { similarity }),
        };
      },
      async write() {},
    }),
  });

/** Keeps a cache only for the leaves that had a hit. All others were called, as if they had none. */
export const recordedCaches = (root: PlanNode, trail: readonly TrailEvent[]): RecordedCaches => {
  const caches: CacheDefinition[] = [];
  const hitAt = (path: JsonPointer): TrailEventOf<'cached'> | undefined =>
    trail.find((event): event is TrailEventOf<'cached'> => event.kind === 'cached' && event.path === path);

  const recordedStage = (stage: Stage, path: JsonPointer): readonly Stage[] => {
    if (stage.kind !== 'cache') return [stage];
    const hit = hitAt(path);
    if (hit === undefined) return [];
    const mode = `recorded.${caches.length}`;
    caches.push(holding(mode, hit));
    return [{ ...stage, mode }];
  };

  return {
    root: mapLeaves(root, (leaf) => ({
      ...leaf,
      stages: leaf.stages.flatMap((stage) => recordedStage(stage, leaf.path)),
    })),
    caches,
  };
};
