import { type DeclaredLabels, enforcedLabels, listedValues } from '../../../schema/config/declared-labels.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import { mentions } from './literal.ts';

/**
 * Returns what holds for every request because the gateway rejects all others: an enforced label has one of its values or is
 * missing. A required label may still be missing, because some requests may lack it, such as those to paths that the gateway does
 * not model.
 */
export const labelPremises = (labels: DeclaredLabels, conditions: readonly Condition[]): readonly Condition[] =>
  enforcedLabels(labels).flatMap(([name, label]): readonly Condition[] => {
    const values = listedValues(label);
    const path = ['metadata', name] as const;
    if (values === undefined || !conditions.some((each) => mentions(each, path))) return [];
    const listed: Json = [...values];
    return [
      {
        kind: 'any',
        of: [
          { kind: 'test', path, op: '$exists', value: false },
          { kind: 'test', path, op: '$in', value: listed },
        ],
      },
    ];
  });
