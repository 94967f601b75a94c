import type { VNode } from 'preact';
import type { PictureNode } from '../../../../compiler/cli/explain/picture/plan-picture.ts';
import { describeNode } from './describe-node.ts';
import { overlayOf, type PictureOverlay } from './overlay.ts';

interface PlanListProps {
  readonly node: PictureNode;
  readonly overlay: PictureOverlay;
  readonly label?: string;
  onSelect(node: PictureNode): void;
}

/** The same plan as a nested list, for screen readers and for pictures that are too wide. */
export const PlanList = ({ node, overlay, label = '', onSelect }: PlanListProps): VNode => (
  <li>
    <button type="button" class="plan-list-node" onClick={() => onSelect(node)}>
      {describeNode({ node }, label, overlayOf(overlay, node))}
    </button>
    {node.branches.length > 0 && (
      <ul>
        {node.branches.map((branch, index) => (
          <PlanList key={index} node={branch.node} overlay={overlay} label={branch.label} onSelect={onSelect} />
        ))}
      </ul>
    )}
  </li>
);
