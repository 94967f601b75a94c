import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type Change, type CheckedPart, changedPart } from './checked-part.ts';
import { mergeReplacements } from './merge-replacements.ts';
import type { ReadVerdict } from './read-verdict.ts';

/** A part after the changes of checks. */
export interface Changed {
  readonly part: CheckedPart;
  /** The single change that leads here from the part that was judged. Absent if there is none. */
  readonly change?: Change;
  /** The original values of the placeholders in the changed texts. */
  readonly restore: ReadVerdict['restore'];
}

/** A judgement of a part, with the changes that it makes. */
export interface Judged {
  readonly changed?: Changed;
}

export interface Composition<One extends Judged> {
  /** Each judged the same part, independently of the others. */
  readonly judged: readonly One[];
  readonly base: CheckedPart;
  readonly phase: CheckPhase;
  /** Judges a part that an earlier judgement changed. */
  again(index: number, part: CheckedPart): MaybePromise<One>;
}

const merged = (base: CheckedPart, phase: CheckPhase, one: Changed, other: Changed): Changed | undefined => {
  if (one.change?.kind !== 'replace' || other.change?.kind !== 'replace') return undefined;
  const change: Change = {
    kind: 'replace',
    replacements: mergeReplacements(one.change.replacements, other.change.replacements),
  };
  return { change, part: changedPart(base, change, phase), restore: [...one.restore, ...other.restore] };
};

/** Judgements, and their combined changes. */
export interface Composed<One extends Judged> {
  readonly judged: readonly One[];
  readonly changed: Changed | undefined;
}

const hasChanged = ({ changed }: Judged): boolean => changed !== undefined;

const inOrder = async <One extends Judged>({
  judged,
  base,
  phase,
  again,
}: Composition<One>): Promise<Composed<One>> => {
  const results: One[] = [];
  let current: Changed | undefined;
  for (const [index, one] of judged.entries()) {
    let result = one;
    if (one.changed !== undefined && current === undefined) current = one.changed;
    else if (one.changed !== undefined && current !== undefined) {
      const both = merged(base, phase, current, one.changed);
      if (both === undefined) {
        result = await again(index, current.part);
        if (result.changed !== undefined)
          current = { part: result.changed.part, restore: [...current.restore, ...result.changed.restore] };
      } else current = both;
    }
    results.push(result);
  }
  return { judged: results, changed: current };
};

/**
 * Applies the changes of independent judgements in order. Replacements in the same texts are overlaid. If one returned a whole
 * new body, the places of other changes are unknown, so the following checks judge again.
 */
export const composeChanges = <One extends Judged>(composition: Composition<One>): MaybePromise<Composed<One>> => {
  const { judged } = composition;
  return judged.some(hasChanged) ? inOrder(composition) : { judged, changed: undefined };
};

/**
 * Judges a part with several checks, one after the other. Each judges what those before it left. Stops early at one that `ends`.
 */
export const inTurn = async <One extends Judged>(
  base: CheckedPart,
  judges: readonly ((part: CheckedPart) => MaybePromise<One>)[],
  ends: (one: One) => boolean = () => false,
): Promise<Composed<One>> => {
  const judged: One[] = [];
  let changed: Changed | undefined;
  for (const judge of judges) {
    const one = await judge(changed?.part ?? base);
    judged.push(one);
    if (one.changed !== undefined)
      changed =
        changed === undefined
          ? one.changed
          : { part: one.changed.part, restore: [...changed.restore, ...one.changed.restore] };
    if (ends(one)) break;
  }
  return { judged, changed };
};
