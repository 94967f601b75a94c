import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { targetProvider } from '../../schema/plan/target-model.ts';

/** A target without its id. */
export type TargetWithoutId = Omit<Target, 'id'>;

export interface Entry {
  readonly name: string | undefined;
  readonly pointer: JsonPointer;
  readonly target: TargetWithoutId;
}

/** Returns the provider and the place: `openai#targets.0`; for the root only `openai`. */
const placeName = ({ target, pointer }: Entry): string => {
  const name = targetProvider(target) ?? target.from.kind;
  const place = fromPointer(pointer).join('.');
  return place === '' ? name : `${name}#${place}`;
};

/** Returns targets with their ids: a name that no other target has, otherwise the provider and the place. */
export const targetTable = (entries: readonly Entry[]): readonly Target[] => {
  const uses = new Map<string, number>();
  for (const { name } of entries) if (name) uses.set(name, (uses.get(name) ?? 0) + 1);
  const taken = new Set(entries.flatMap(({ name }) => (name && uses.get(name) === 1 ? [name] : [])));
  return entries.map((entry) => {
    if (entry.name && uses.get(entry.name) === 1) return { id: entry.name, ...entry.target };
    let id = placeName(entry);
    while (taken.has(id)) id += "'";
    taken.add(id);
    return { id, ...entry.target };
  });
};
