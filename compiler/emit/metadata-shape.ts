import type { PlanNode } from '../../schema/plan/plan.ts';
import { neededMetadata, type PathSet, pathKey } from './needed-metadata.ts';
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
  /** Members that conditions read inside it, sorted by name. */
  readonly members: ReadonlyMap<string, MetadataShape>;
}

const distinct = <T extends string | number>(values: readonly T[]): readonly T[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

const shapeAt = (prefix: readonly string[], tests: readonly MetadataTest[], needed: PathSet): MetadataShape => {
  const here = tests.filter(({ keys }) => keys.length === prefix.length);
  const values = here.flatMap((test) => test.values);
  const members = membersAt(prefix, tests, needed);
  const optional = here.some(({ accepts }) => accepts === 'presence');
  return {
    required: !optional && (needed.has(pathKey(prefix)) || [...members.values()].some((member) => member.required)),
    texts: distinct(values.filter((value) => typeof value === 'string')),
    numbers: distinct(values.filter((value) => typeof value === 'number')),
    booleans: values.some((value) => typeof value === 'boolean'),
    nulls: values.includes(null),
    anyText: here.some(({ accepts }) => accepts === 'text'),
    anyNumber: here.some(({ accepts }) => accepts === 'number'),
    optional,
    members,
  };
};

const membersAt = (
  prefix: readonly string[],
  tests: readonly MetadataTest[],
  needed: PathSet,
): ReadonlyMap<string, MetadataShape> => {
  const depth = prefix.length;
  const deeper = tests.filter(({ keys }) => keys.length > depth);
  const names = distinct(deeper.flatMap(({ keys }) => keys[depth] ?? []));
  return new Map(
    names.map((name) => [
      name,
      shapeAt(
        [...prefix, name],
        deeper.filter(({ keys }) => keys[depth] === name),
        needed,
      ),
    ]),
  );
};

/** The members of the `Metadata` interface: what the plan's conditions read, and what they hold it against. */
export const metadataShape = (root: PlanNode): ReadonlyMap<string, MetadataShape> =>
  membersAt([], readMetadata(root), neededMetadata(root));
