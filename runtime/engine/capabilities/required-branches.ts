import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { Lack } from '../../../schema/model-facts/lack.ts';
import type { UnableBranch } from '../../../schema/trail/trail.ts';
import type { Abilities, ReachedLeaf, Run } from '../call/run.ts';
import { errorResponse } from '../error-responses/error-response.ts';

/** A branch, as far as its abilities are concerned. */
export interface Reaching {
  /** Returns the leaves below it that a run can reach, available or not. */
  reaches(run: Run): readonly ReachedLeaf[];
}

/** A group that calls only branches that are able to serve a request. */
export interface RequiringGroup {
  readonly path: JsonPointer;
  readonly branches: readonly Reaching[];
  /** The indexes of the branches that can be chosen at all. */
  readonly all: readonly number[];
}

/** The branches of such a group, by their abilities. */
export interface RequiredBranches {
  /** Returns the indexes of the able branches, or `all` itself if every branch is able. */
  able(run: Run): readonly number[];
  /** Does the same, and records the others in the trail. */
  take(run: Run): readonly number[];
  /** Returns the answer if no branch is able. */
  refuse(run: Run): GatewayResponse;
}

const nothing: readonly Lack[] = [];

/** How many targets are named in an error. */
const maxNamed = 8;

/** Links which branches of a group may be called: those with a reachable leaf that lacks nothing. */
export const linkRequired = ({ path, branches, all }: RequiringGroup, abilities: Abilities): RequiredBranches => {
  const reached = (run: Run, branch: number): readonly ReachedLeaf[] => branches[branch]?.reaches(run) ?? [];

  /** Lists what a branch lacks: nothing if one of its leaves lacks nothing, otherwise what any of them lacks. */
  const lackedBy = (run: Run, branch: number): readonly Lack[] => {
    let lacked: Set<Lack> | undefined;
    for (const leaf of reached(run, branch)) {
      const lacks = abilities.lacks(run, leaf);
      if (lacks.length === 0) return lacks;
      lacked ??= new Set();
      for (const lack of lacks) lacked.add(lack);
    }
    return lacked === undefined ? nothing : [...lacked];
  };

  const able = (run: Run): readonly number[] => {
    const found = all.filter((branch) => lackedBy(run, branch).length === 0);
    return found.length === all.length ? all : found;
  };

  const describe = (run: Run): string => {
    const leaves = all.flatMap((branch) => reached(run, branch));
    const named = leaves
      .slice(0, maxNamed)
      .map((leaf) => `${JSON.stringify(leaf.target.id)} lacks ${abilities.lacks(run, leaf).join(', ')}`);
    return [...named, ...(leaves.length > maxNamed ? [`and ${leaves.length - maxNamed} more`] : [])].join('; ');
  };

  return {
    able,
    take(run) {
      const found = able(run);
      if (found === all) return all;
      const unable = all.flatMap((branch): readonly UnableBranch[] => {
        const lacks = lackedBy(run, branch);
        return lacks.length === 0 ? [] : [{ branch, lacks }];
      });
      run.exchange.trail.push({ kind: 'unable', path, branches: unable });
      return found;
    },
    refuse: (run) =>
      errorResponse(errorReport('no-capable-target', { lacks: describe(run) }), {
        dialect: run.dialect,
        leaf: { path, provider: '', retries: 0, cache: 'DISABLED' },
      }),
  };
};
