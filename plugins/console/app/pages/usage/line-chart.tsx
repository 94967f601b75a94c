import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartOf, Line } from './charts.ts';
import { toTick } from './figures.ts';

export interface LineChartProps {
  /** The name and the total, for screen readers. */
  readonly label: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly unit: ChartOf['unit'];
  /** Called with the start and the end of the selected time, in seconds. */
  readonly onBrush: (from: number, to: number) => void;
}

const height = 180;
const colours = 6;

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const toSeries = ({ name, isBefore }: Line, at: number): uPlot.Series => ({
  label: name,
  width: 1.5,
  stroke: isBefore === true ? variable('--muted') : variable(`--series-${(at % colours) + 1}`),
  ...(isBefore === true && { dash: [4, 4] }),
});

/** A line chart over time. Dragging over it selects a time range. The table has the same figures. */
export const LineChart = ({ label, times, lines, unit, onBrush }: LineChartProps) => {
  const element = useRef<HTMLDivElement>(null);
  const brush = useRef(onBrush);
  brush.current = onBrush;
  useLayoutEffect(() => {
    const parent = element.current;
    if (parent === null) return undefined;
    let chart: uPlot | undefined;
    const draw = (): void => {
      chart?.destroy();
      const axis = {
        stroke: variable('--muted'),
        grid: { stroke: variable('--border'), width: 1 },
        ticks: { show: false },
      };
      chart = new uPlot(
        {
          width: Math.max(200, parent.clientWidth),
          height,
          legend: { show: false },
          cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
          scales: { y: { range: (_, min, max) => [Math.min(0, min), max > 0 ? max * 1.05 : 1] } },
          axes: [axis, { ...axis, size: 72, values: (_, ticks) => ticks.map((tick) => toTick(tick, unit)) }],
          series: [{}, ...lines.map(toSeries)],
          hooks: {
            setSelect: [
              (self) => {
                const { left, width } = self.select;
                if (width > 4) brush.current(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'));
              },
            ],
          },
        },
        [[...times], ...lines.map(({ values }) => [...values])],
        parent,
      );
    };
    draw();
    const observer = new ResizeObserver(() => chart?.setSize({ width: Math.max(200, parent.clientWidth), height }));
    observer.observe(parent);
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      observer.disconnect();
      themed.disconnect();
      chart?.destroy();
    };
  }, [times, lines, unit]);
  return <div ref={element} class="usage-chart" role="img" aria-label={label} />;
};
