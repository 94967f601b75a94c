import type { PlanNode } from '../../schema/plan/plan.ts';
import { neededMetadata } from './needed-metadata.ts';
import { type MetadataTest, readMetadata } from './read-metadata.ts';

/** The facts about one metadata value that the conditions of a plan reveal. */
export interface MetadataShape {
  readonly required: boolean;
  /** Texts, numbers and booleans that conditions name, sorted and without duplicates. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly booleans: boolean;
  readonly nulls: boolean;
  /** Whether some condition reads it as any text (a pattern), or as any number (an order). */
  readonly anyText: boolean;
  readonly anyNumber: boolean;
  /** Whether some condition tests if it exists; it is then not required. */
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

/** Returns the members of the `Metadata` interface: what the plan's conditions read, and the values that they compare it with. */
export const metadataShape = (root: PlanNode): ReadonlyMap<string, MetadataShape> => {
  const needed = neededMetadata(root);
  const tests = Map.groupBy(readMetadata(root), ({ name }) => name);
  return new Map(distinct([...tests.keys()]).map((name) => [name, shapeOf(tests.get(name) ?? [], needed.has(name))]));
};
