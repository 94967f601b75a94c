import type { PlanNode } from '../../schema/plan/plan.ts';
import { neededMetadata } from './needed-metadata.ts';
import { type MetadataTest, readMetadata } from './read-metadata.ts';

/** The knowledge that a plan's conditions have of one metadata value. */
export interface MetadataShape {
  readonly required: boolean;
  /** Texts, numbers and booleans that conditions name, each sorted and once. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly booleans: boolean;
  readonly nulls: boolean;
  /** Some condition looks at it as any text (a pattern), or as any number (an order). */
  readonly anyText: boolean;
  readonly anyNumber: boolean;
  /** Some condition asks whether it is there: then it is not required. */
  readonly optional: boolean;
}

const distinct = <T extends string | number>(values: readonly T[]): readonly T[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

const shapeOf = (tests: readonly MetadataTest[], isNeeded: boolean): MetadataShape => {
  const values = tests.flatMap((test) => test.values);
  const optional = tests.some(({ accepts }) => accepts === 'presence');
  return {
    required: !optional && isNeeded,
    texts: distinct(values.filter((value) => typeof value === 'string')),
    numbers: distinct(values.filter((value) => typeof value === 'number')),
    booleans: values.some((value) => typeof value === 'boolean'),
    nulls: values.includes(null),
    anyText: tests.some(({ accepts }) => accepts === 'text'),
    anyNumber: tests.some(({ accepts }) => accepts === 'number'),
    optional,
  };
};

/** The members of the `Metadata` interface: what the plan's conditions read, and what they hold it against. */
export const metadataShape = (root: PlanNode): ReadonlyMap<string, MetadataShape> => {
  const needed = neededMetadata(root);
  const tests = Map.groupBy(readMetadata(root), ({ name }) => name);
  return new Map(distinct([...tests.keys()]).map((name) => [name, shapeOf(tests.get(name) ?? [], needed.has(name))]));
};
