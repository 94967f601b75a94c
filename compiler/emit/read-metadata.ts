import type { Json } from '../../schema/json/json.ts';
import type { Condition, ConditionTest } from '../../schema/plan/condition.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';

/** One comparison of a metadata value: its name, and what it is compared with. */
export interface MetadataTest {
  readonly name: string;
  /** The values that the condition names; empty for an order or a pattern. */
  readonly values: readonly Json[];
  /** The kinds of values that the comparison applies to, besides the named ones. */
  readonly accepts: 'equals' | 'number' | 'text' | 'presence';
}

/**
 * Returns the name of the metadata value at a path; undefined for a longer path, because values have no members and no request
 * can have it.
 */
export const metadataName = ([root, name, ...rest]: ConditionTest['path']): string | undefined =>
  root === 'metadata' && rest.length === 0 ? name : undefined;

const toTest = ({ path, op, value }: ConditionTest): readonly MetadataTest[] => {
  const name = metadataName(path);
  if (name === undefined) return [];
  switch (op) {
    case '$eq':
    case '$ne':
      return [{ name, values: [value], accepts: 'equals' }];
    case '$in':
    case '$nin':
      return [{ name, values: Array.isArray(value) ? value : [], accepts: 'equals' }];
    case '$regex':
      return [{ name, values: [], accepts: 'text' }];
    case '$exists':
      return [{ name, values: [], accepts: 'presence' }];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return [{ name, values: [], accepts: 'number' }];
    // Metadata contains no lists.
    case '$all':
    case '$size':
      return [];
  }
};

const toTests = (condition: Condition): readonly MetadataTest[] => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.flatMap(toTests);
    case 'not':
      return toTests(condition.of);
    case 'test':
      return toTest(condition);
    case 'element':
      return [];
  }
};

/** Lists every comparison of metadata in the plan, in the order of its nodes. */
export const readMetadata = (node: PlanNode): readonly MetadataTest[] => {
  switch (node.kind) {
    case 'leaf':
      return [];
    case 'loadbalance':
      return node.branches.flatMap((branch) => readMetadata(branch.node));
    case 'fallback':
      return node.branches.flatMap(readMetadata);
    case 'conditional':
      return [...node.cases.flatMap(({ when }) => toTests(when)), ...node.branches.flatMap(readMetadata)];
  }
};
