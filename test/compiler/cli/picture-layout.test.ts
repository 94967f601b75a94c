import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut, type PictureLayout, type PlacedBox } from '../../../compiler/cli/explain/picture/layout.ts';
import {
  type PictureNode,
  type PictureOptions,
  planPicture,
} from '../../../compiler/cli/explain/picture/plan-picture.ts';
import { type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { listBranches } from '../../../schema/plan/list-branches.ts';
import type { PlanNode, RoutingPlan } from '../../../schema/plan/plan.ts';
import { routingPlan } from '../../support/arbitraries/plan.ts';
import { leafAt, not2xx, targetAt, toFallback } from '../../support/plans/plan-nodes.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const overlap = (a: PlacedBox, b: PlacedBox): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const overlapping = ({ boxes }: PictureLayout): readonly string[] =>
  boxes.flatMap((box, index) =>
    boxes.slice(index + 1).flatMap((other) => (overlap(box, other) ? [`${box.id} ${other.id}`] : [])),
  );

const nodesOf = (node: PictureNode): readonly PictureNode[] => [
  node,
  ...node.branches.flatMap((branch) => nodesOf(branch.node)),
];

/** Returns the places of all nodes that requests or copies can reach. */
const placesOf = (node: PlanNode): readonly JsonPointer[] => {
  const named =
    node.kind === 'conditional' ? new Set([...node.cases.map(({ branch }) => branch), node.otherwise]) : undefined;
  const branches = node.kind === 'leaf' ? [] : listBranches(node).filter((_, index) => named?.has(index) ?? true);
  return [node.path, ...branches.flatMap(placesOf), ...(node.mirrors ?? []).map(({ leaf }) => leaf.path)];
};

const fallbackOf = (count: number): RoutingPlan => {
  const [first = leafAt(0), ...others] = Array.from({ length: count }, (_, index) => leafAt(index));
  const targets = Array.from({ length: count }, (_, index) => targetAt(index));
  return { name: 'many', root: toFallback(not2xx, first, ...others), targets } as unknown as RoutingPlan;
};

const options = fc.record<PictureOptions>({
  maxBranches: fc.integer({ min: 1, max: 4 }),
  whole: fc.constantFrom(new Set<string>(), new Set([rootPointer])),
} as never);

describe('the layout of a picture of a plan', () => {
  it('gives each node one box inside the picture, and no boxes overlap', () => {
    fc.assert(
      fc.property(routingPlan, options, (plan, drawn) => {
        const picture = planPicture(plan, drawn);
        const layout = layOut(picture);
        expect(layout.boxes.map(({ node }) => node)).toEqual(nodesOf(picture.root));
        expect(overlapping(layout)).toEqual([]);
        for (const { x, y, width, height } of layout.boxes) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(layout.width);
          expect(y + height).toBeLessThanOrEqual(layout.height);
        }
      }),
      lawRuns,
    );
  });

  it('connects each box to its group by one line, from the right side of the group to the left side of the branch', () => {
    fc.assert(
      fc.property(routingPlan, (plan) => {
        const { boxes, lines } = layOut(planPicture(plan));
        const byId = new Map(boxes.map((box) => [box.id, box]));
        expect(lines.map(({ to }) => to).toSorted()).toEqual(
          boxes
            .slice(1)
            .map(({ id }) => id)
            .toSorted(),
        );
        for (const { from, to, branch, path } of lines) {
          const [group, node] = [byId.get(from), byId.get(to)];
          if (group === undefined || node === undefined) throw new Error(`A line goes from ${from} to ${to}.`);
          expect(group.node.branches).toContain(branch);
          expect(branch.node).toBe(node.node);
          expect(path.startsWith(`M${group.x + group.width} ${group.y + group.height / 2}C`)).toBe(true);
          expect(path.endsWith(` ${node.x} ${node.y + node.height / 2}`)).toBe(true);
        }
      }),
      lawRuns,
    );
  });

  it('draws every node of a plan that is not cut, at its place in the config, and is deterministic', () => {
    fc.assert(
      fc.property(routingPlan, (plan) => {
        const places = placesOf(plan.root);
        const { boxes } = layOut(planPicture(plan));
        const drawn = boxes.filter(({ node }) => node.kind !== 'more').map(({ node }) => node.path);
        if (boxes.every(({ node }) => node.kind !== 'more')) expect(drawn.toSorted()).toEqual(places.toSorted());
        expect(layOut(planPicture(plan))).toEqual(layOut(planPicture(plan)));
      }),
      lawRuns,
    );
  });

  it('cuts a group of 200 targets, and draws all of them on request', () => {
    const plan = fallbackOf(200);
    const cut = layOut(planPicture(plan, { maxBranches: 12 }));
    expect(cut.boxes).toHaveLength(14);
    expect(cut.boxes.at(-1)?.node).toMatchObject({ kind: 'more', title: '188 more targets', path: rootPointer });
    const whole = layOut(planPicture(plan, { maxBranches: 12, whole: new Set([rootPointer]) }));
    expect(whole.boxes).toHaveLength(201);
    expect(overlapping(whole)).toEqual([]);
  });

  it('lists the details of a node, but no secret', () => {
    const plan = {
      name: 'one',
      root: leafAt(0, { kind: 'retry', attempts: 2, on: [429], useRetryAfter: false }),
      targets: [
        {
          ...targetAt(0),
          credential: { kind: 'fields', fields: { api_key: { kind: 'slot', slot: 0, origin: 'saved' } } },
        },
      ],
    } as unknown as RoutingPlan;
    const { root } = planPicture(plan);
    expect(root.target).toBe('t0');
    expect(root.details).toContain('retry: up to 2 retries on 429');
    expect(root.details).toContain('with api_key given in the config');
    expect(root.details).toContain('a time-out of 1 s for each attempt');
  });
});
