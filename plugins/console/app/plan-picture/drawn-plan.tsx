import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { PictureLayout, PlacedBox, PlacedLine } from '../../../../compiler/cli/explain/picture/layout.ts';
import { describeNode, isMove, moveFrom } from './describe-node.ts';
import { overlayOf, type PictureOverlay } from './overlay.ts';

interface DrawnPlanProps {
  readonly layout: PictureLayout;
  readonly overlay: PictureOverlay;
  readonly scale: number;
  /** The id of the selected box; absent if none is selected. */
  readonly selected?: string | undefined;
  onSelect(box: PlacedBox): void;
}

const Line = ({ line, isVisited }: { readonly line: PlacedLine; readonly isVisited: boolean }): VNode => (
  <g class={`plan-line${line.branch.isCopy ? ' copy' : ''}${isVisited ? ' visited' : ''}`}>
    <path d={line.path} />
    <text x={line.label.x} y={line.label.y}>
      {line.branch.label}
    </text>
  </g>
);

/** The picture itself. The tab key reaches only one node; the arrow keys move between nodes. */
export const DrawnPlan = ({ layout, overlay, scale, selected, onSelect }: DrawnPlanProps): VNode => {
  const svg = useRef<SVGSVGElement>(null);
  const [stop, setStop] = useState('n0');
  const current = layout.boxes.some(({ id }) => id === stop) ? stop : 'n0';
  const labels = new Map(layout.lines.map(({ to, branch }) => [to, branch.label]));
  const visited = (id: string): boolean => {
    const box = layout.boxes.find((each) => each.id === id);
    return box !== undefined && overlayOf(overlay, box.node).visit !== undefined;
  };
  const onKey = (event: KeyboardEvent, box: PlacedBox): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onSelect(box);
      return;
    }
    if (!isMove(event.key)) return;
    event.preventDefault();
    const next = moveFrom(layout, box.id, event.key);
    // The focused node becomes the tab stop.
    svg.current?.querySelector<SVGGElement>(`[data-node="${next}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no element for a group of controls.
    <svg
      ref={svg}
      class="plan-drawing"
      role="group"
      aria-label={layout.name}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      width={layout.width * scale}
      height={layout.height * scale}
    >
      {layout.lines.map((line) => (
        <Line key={line.to} line={line} isVisited={visited(line.to)} />
      ))}
      {layout.boxes.map((box) => {
        const { id, node, x, y, width, height } = box;
        const { visit, figure } = overlayOf(overlay, node);
        const isRound = node.kind !== 'leaf' && node.kind !== 'more';
        return (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no buttons.
          <g
            key={id}
            data-node={id}
            class={`plan-node ${node.kind}${visit === undefined ? '' : ` ${visit}`}${id === selected ? ' selected' : ''}`}
            role="button"
            aria-label={describeNode(box, labels.get(id) ?? '', { ...overlayOf(overlay, node) })}
            aria-pressed={id === selected}
            tabindex={id === current ? 0 : -1}
            onFocus={() => setStop(id)}
            onClick={() => onSelect(box)}
            onKeyDown={(event) => onKey(event, box)}
          >
            <rect x={x} y={y} width={width} height={height} rx={isRound ? height / 2 : 4} />
            <text class="title" x={x + width / 2} y={y + height / 2 + (node.subtitle === '' ? 5 : -3)}>
              {node.title}
            </text>{' '}
            <text class="subtitle" x={x + width / 2} y={y + height / 2 + 13}>
              {node.subtitle}
            </text>{' '}
            {figure !== undefined && (
              <text class={`figure${figure.isBad ? ' bad' : ''}`} x={x + width / 2} y={y + height + 12}>
                {figure.text}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};
