import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { SavedProblem } from './check-saved.ts';

type Overload = NonNullable<GatewayFile['overload']>;

const members = ['min_concurrency', 'initial_concurrency', 'max_concurrency'] as const;

/** Checks the gateway file's `overload` beyond its shape: the given limits must be in order. */
export const checkOverload = (overload: Overload): readonly SavedProblem[] => {
  const { min_concurrency = 4, max_concurrency = 1000 } = overload;
  const values = { min_concurrency, max_concurrency, initial_concurrency: overload.initial_concurrency };
  const given = members.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, value, isDefault: overload[name] === undefined }];
  });
  return given.flatMap((lower, at) => {
    const higher = given[at + 1];
    if (higher === undefined || lower.value <= higher.value) return [];
    // At least one of the two is in the file.
    const [wrong, other] = lower.isDefault ? [higher, lower] : [lower, higher];
    const order = wrong === lower ? 'above' : 'below';
    return [
      {
        ...{ code: 'wrong-limits', pointer: childPointer(rootPointer, 'overload', wrong.name) },
        message: `"${wrong.name}" is ${wrong.value}, ${order} "${other.name}", which is ${other.value}${other.isDefault ? ' by default' : ''}.`,
        hint: `Give "${wrong.name}" a value that is not ${order} it, or change "${other.name}".`,
      },
    ];
  });
};
