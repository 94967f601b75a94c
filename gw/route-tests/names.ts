import type { RouteTestEntry } from '../../schema/generated/route-test-file.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import { listCheckNames } from './scripted-checks.ts';

/** A name in a test that its config does not have. */
export interface UnknownName {
  /** The place below the test. */
  readonly pointer: JsonPointer;
  readonly message: string;
  readonly hint: string;
}

type Named = readonly [pointer: JsonPointer, name: string];

const at = (...tokens: readonly (string | number)[]): JsonPointer => childPointer(rootPointer, ...tokens);

const keysOf = (value: object | undefined, ...tokens: readonly (string | number)[]): readonly Named[] =>
  Object.keys(value ?? {}).map((name) => [at(...tokens, name), name]);

const itemsOf = (value: readonly string[] | undefined, ...tokens: readonly (string | number)[]): readonly Named[] =>
  (value ?? []).map((name, index) => [at(...tokens, index), name]);

const namedTargets = ({ given, when, before = [], expect }: RouteTestEntry): readonly Named[] => [
  ...itemsOf(given?.prefer, 'given', 'prefer'),
  ...keysOf(when, 'when'),
  ...before.flatMap((each, index) => [
    ...itemsOf(each.given?.prefer, 'before', index, 'given', 'prefer'),
    ...keysOf(each.when, 'before', index, 'when'),
  ]),
  ...itemsOf(expect.calls, 'expect', 'calls'),
  ...(expect.one_of ?? []).flatMap((calls, index) => itemsOf(calls, 'expect', 'one_of', index)),
  ...keysOf(expect.shares, 'expect', 'shares'),
];

const namedChecks = ({ checks, before = [] }: RouteTestEntry): readonly Named[] => [
  ...keysOf(checks, 'checks'),
  ...before.flatMap((each, index) => keysOf(each.checks, 'before', index, 'checks')),
];

const unknown = (
  named: readonly Named[],
  known: readonly string[],
  { kind, isKnown }: { readonly kind: string; readonly isKnown: (name: string) => boolean },
): readonly UnknownName[] =>
  named
    .filter(([, name]) => !isKnown(name))
    .map(([pointer, name]) => ({
      pointer,
      message: `The config has no ${kind} "${name}".`,
      hint: suggestName(name, known, known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`),
    }));

/** Lists the targets and checks of a test that the plan does not have. */
export const unknownNames = (test: RouteTestEntry, { root, targets }: RoutingPlan): readonly UnknownName[] => {
  const ids = targets.map(({ id }) => id);
  const checks = [...new Set(listLeaves(root).flatMap(listCheckNames))];
  const lowerCase = new Set(checks.map((name) => name.toLowerCase()));
  return [
    ...unknown(namedTargets(test), ids, { kind: 'target', isKnown: (name) => ids.includes(name) }),
    ...unknown(namedChecks(test), checks, { kind: 'check', isKnown: (name) => lowerCase.has(name.toLowerCase()) }),
  ];
};
