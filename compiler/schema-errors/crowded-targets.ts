import { isJsonObject, type Json } from '../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { maxConditionalRootTargets } from './limits.ts';

export interface CrowdedTargets {
  readonly pointer: JsonPointer;
  readonly count: number;
}

/**
 * Returns a list of targets that is longer than any list may be. It is searched for before the shape is checked, so that a list
 * of thousands gives one finding, and is not processed further.
 */
export const crowdedTargets = (value: Json, pointer: JsonPointer): CrowdedTargets | undefined => {
  if (!isJsonObject(value) || !Array.isArray(value.targets)) return undefined;
  const at = childPointer(pointer, 'targets');
  const count = value.targets.length;
  if (count > maxConditionalRootTargets) return { pointer: at, count };
  for (const [index, target] of value.targets.entries()) {
    const found = crowdedTargets(target, childPointer(at, index));
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Counts the configs without targets of their own in a config, including those of its mirrors, whatever their shape. */
export const leafCount = (value: Json): number => {
  if (!isJsonObject(value)) return 1;
  const ofMirror = isJsonObject(value.mirror) ? 1 : 0;
  return Array.isArray(value.targets)
    ? value.targets.reduce<number>((sum, target) => sum + leafCount(target), ofMirror)
    : 1 + ofMirror;
};
