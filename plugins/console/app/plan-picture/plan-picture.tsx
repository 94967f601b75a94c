import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { layOut } from '../../../../compiler/cli/explain/picture/layout.ts';
import { type PictureNode, planPicture } from '../../../../compiler/cli/explain/picture/plan-picture.ts';
import { toSvg } from '../../../../compiler/cli/explain/picture/to-svg.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import { Button } from '../components/button.tsx';
import { Segments } from '../components/small.tsx';
import { planPictureTexts as texts } from '../texts/plan-picture.ts';
import { DrawnPlan } from './drawn-plan.tsx';
import type { PictureOverlay } from './overlay.ts';
import { PlanList } from './plan-list.tsx';
import './plan-picture.css';

/** The most branches drawn for one group. A click on the node that counts the rest shows all of them. */
const maxBranches = 12;
const scales = [0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2] as const;
const wholeSize = scales.indexOf(1);

export interface PlanPictureProps {
  readonly plan: Pick<RoutingPlan, 'name' | 'root' | 'targets'>;
  readonly overlay?: PictureOverlay;
  /** Called with the path of the selected node. */
  readonly onSelect?: (path: JsonPointer) => void;
  /** A button that shows a node in the text of the config, if that text is beside the picture. */
  readonly goTo?: { text(path: JsonPointer): string; run(path: JsonPointer): void };
}

const smallestStart = scales.indexOf(0.65);

/** Returns the largest scale, at most 1, at which a picture fits the available width, but none too small to read. */
const fitting = (width: number, place: number): number => {
  const fits = scales.findLastIndex((scale, at) => at <= wholeSize && width * scale <= place);
  return Math.max(fits, smallestStart);
};

const saveFile = (name: string, text: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  link.download = `${name.replace(/[^\w.-]+/g, '-') || 'plan'}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
};

const noOverlay: PictureOverlay = {};

/** A compiled plan, either as a picture that can be zoomed, navigated by keyboard and saved as a file, or as a list. */
export const PlanPicture = ({ plan, overlay = noOverlay, onSelect, goTo }: PlanPictureProps): VNode => {
  const [whole, setWhole] = useState<ReadonlySet<JsonPointer>>(new Set());
  const [size, setSize] = useState(wholeSize);
  const [isList, setIsList] = useState(false);
  const [selected, setSelected] = useState<PictureNode>();
  const frame = useRef<HTMLDivElement>(null);
  const picture = useMemo(() => planPicture(plan, { maxBranches, whole }), [plan, whole]);
  const layout = useMemo(() => layOut(picture), [picture]);
  // A picture that is too wide starts smaller, as long as its texts stay readable.
  useEffect(() => setSize(fitting(layout.width, frame.current?.clientWidth ?? layout.width)), []);
  const shown = selected && layout.boxes.find(({ node }) => node.path === selected.path && node.kind === selected.kind);
  const select = (node: PictureNode): void => {
    if (node.kind === 'more') setWhole(new Set([...whole, node.path]));
    else {
      setSelected(node);
      onSelect?.(node.path);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+') setSize(Math.min(size + 1, scales.length - 1));
    if (event.key === '-') setSize(Math.max(size - 1, 0));
    if (event.key === '0') setSize(wholeSize);
  };
  return (
    <figure class="plan-picture" aria-label={texts.name(plan.name)} onKeyDown={onKey}>
      <div class="row">
        <Segments
          label={texts.tools}
          value={isList ? 'list' : 'picture'}
          onChange={(value) => setIsList(value === 'list')}
          options={[
            { value: 'picture', text: texts.asPicture },
            { value: 'list', text: texts.asList },
          ]}
        />
        <Button size="small" label={texts.smaller} isDisabled={isList || size === 0} onClick={() => setSize(size - 1)}>
          −
        </Button>
        <Button
          size="small"
          label={texts.larger}
          isDisabled={isList || size === scales.length - 1}
          onClick={() => setSize(size + 1)}
        >
          +
        </Button>
        <Button size="small" onClick={() => saveFile(plan.name, toSvg(picture))}>
          {texts.save}
        </Button>
      </div>
      {isList ? (
        <ul class="plan-list">
          <PlanList node={picture.root} overlay={overlay} onSelect={select} />
        </ul>
      ) : (
        <div ref={frame} class="plan-scroll">
          <DrawnPlan
            layout={layout}
            overlay={overlay}
            scale={scales[size] ?? 1}
            selected={shown?.id}
            onSelect={({ node }) => select(node)}
          />
        </div>
      )}
      <figcaption aria-live="polite">
        {shown === undefined ? (
          texts.help
        ) : (
          <>
            <strong>{shown.node.title}</strong>{' '}
            {goTo !== undefined && (
              <Button size="small" onClick={() => goTo.run(shown.node.path)}>
                {goTo.text(shown.node.path)}
              </Button>
            )}
            <ul>
              {shown.node.details.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </figcaption>
    </figure>
  );
};
