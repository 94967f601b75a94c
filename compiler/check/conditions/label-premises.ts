import { type DeclaredLabels, enforcedLabels, listedValues } from '../../../schema/config/declared-labels.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import { mentions } from './literal.ts';

/**
 * What holds for every request because the gateway refuses all others: a label that is enforced has one of its values, or
 * is missing. A label that some requests may lack, such as those of paths that the gateway does not model, may be missing
 * although it is required.
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
