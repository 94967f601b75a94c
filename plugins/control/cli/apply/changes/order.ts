import type { Problems } from '../folder/problems.ts';
import { findReferences, type Reference } from '../folder/references.ts';
import { type Kind, type Place, toKey } from '../kinds/kind.ts';
import { kinds, workspaceKind } from '../kinds/kinds.ts';
import { placeOfReferences, toCandidates } from './names.ts';
import type { Step } from './step.ts';

const rank = new Map<Kind, number>(kinds.map((kind, at) => [kind, at]));

/** A new default replaces the previous one, so the step that removes the default comes first. */
const isDefault = (step: Step): number => Number('wanted' in step && step.wanted.body.is_default === true);

const inOrder = (one: Step, other: Step): number =>
  (rank.get(one.kind) ?? 0) - (rank.get(other.kind) ?? 0) ||
  isDefault(one) - isDefault(other) ||
  (one.key < other.key ? -1 : 1);

const referencesOf = (step: Step): readonly Reference[] => {
  if (step.action === 'release') return [];
  if (step.action === 'delete') return findReferences(step.kind, step.found.body);
  const later = step.action === 'create' ? (step.later ?? []) : [];
  return step.wanted.references.filter(({ pointer }) => !later.some((member) => pointer.startsWith(`/${member}/`)));
};

const workspaceOf = (place: Place): readonly string[] => (place === null ? [] : [toKey(workspaceKind, null, place)]);

/** Lists the steps that must precede a step, because it refers to their records or is in them. */
const befores = (step: Step, byKey: ReadonlyMap<string, Step>): readonly Step[] => {
  // What is in a workspace is deleted before it, whether it refers to that or not.
  const place = step.action === 'delete' ? step.place : placeOfReferences(step);
  const named = referencesOf(step).flatMap((reference) =>
    toCandidates(reference, place).map((each) => toKey(each.kind, each.place, each.handle)),
  );
  return [...workspaceOf(step.place), ...named].flatMap((key) => {
    const found = byKey.get(key);
    // An existing workspace may wait for its contents.
    const waits = found?.kind === workspaceKind && found.action === 'change';
    return found === undefined || found === step || waits ? [] : [found];
  });
};

/** Sorts steps so that each comes after those that it needs. Cycles are reported. */
const sorted = (steps: readonly Step[], problems: Problems): readonly Step[] => {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const done = new Set<Step>();
  const order: Step[] = [];
  const visit = (step: Step, outer: readonly Step[]): void => {
    if (done.has(step)) return;
    if (outer.includes(step)) {
      const circle = [...outer.slice(outer.indexOf(step)), step].map(({ key }) => key).join(', which needs ');
      if ('wanted' in step)
        problems.at(step.wanted.file, '', {
          message: `These files refer to each other in a circle: ${circle}.`,
          hint: 'Remove one of the references.',
        });
      return;
    }
    for (const before of befores(step, byKey)) visit(before, [...outer, step]);
    if (done.has(step)) return;
    done.add(step);
    order.push(step);
  };
  for (const step of [...steps].sort(inOrder)) visit(step, []);
  return order;
};

/** Sorts the steps of a plan: records are created before those that need them, and deleted after them. */
export const orderSteps = (steps: readonly Step[], problems: Problems): readonly Step[] => {
  const isGoing = ({ action }: Step): boolean => action === 'delete' || action === 'release';
  return [
    ...sorted(
      steps.filter((step) => !isGoing(step)),
      problems,
    ),
    ...sorted(steps.filter(isGoing), problems).toReversed(),
  ];
};
