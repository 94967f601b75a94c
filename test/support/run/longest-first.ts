import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than others of their size. */
const longest: readonly string[] = [
  'api/api.test.ts',
  'laws/dialects.test.ts',
  'laws/rewrites.test.ts',
  'e2e/origins/origins.test.ts',
  'e2e/store/store-unavailable.test.ts',
  'e2e/replay/replay.test.ts',
  'e2e/overload/bounded-state.test.ts',
  'e2e/tenants/fairness.test.ts',
  'e2e/kills/killed-gateway.test.ts',
  'e2e/batches/outages.test.ts',
  'readme.test.ts',
];

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((name) => moduleId.endsWith(`/test/${name}`));

/**
 * The order of tests. If the duration of each file is unknown, as in a clean checkout, Vitest starts with the largest file: a
 * small one that takes a minute would be among the last, when nothing is left for the other processors.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Files of one project stay together, because they share processes.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((each) => each.project === project);
      return [...own.filter(isLong), ...own.filter((each) => !isLong(each))];
    });
  }
}
