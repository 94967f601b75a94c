import { useSignal } from '@preact/signals';
import { get } from '../../api/client.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { useLoaded } from '../../api/load.ts';
import { workspace } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { toDateTime } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Segments } from '../../components/small.tsx';
import { EmptyState, Loaded, Notice } from '../../components/states.tsx';
import type { PageProps } from '../../router/page.ts';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/usage.ts';
import { ChartCard } from './chart-card.tsx';
import { charts, type Graph } from './charts.ts';
import { brushed, defaultPreset, isPreset, type Preset, presets, type Range, rangeBefore, readRange } from './range.ts';
import { TimeFields } from './time-fields.tsx';
import './usage.css';

/** The most values with a line of their own. With the line of the others, there are as many as colours. */
const limit = 5;
const labelPrefix = 'metadata.';

const toQuery = ({ from, to, step }: Range, split: string) => ({
  time_min: from,
  time_max: to,
  step,
  split_by: split === '' ? undefined : split,
  limit: split === '' ? undefined : limit,
});

interface Graphs {
  readonly now: readonly Graph[];
  readonly before?: readonly Graph[];
}

const readGraphs = async (range: Range, split: string, signal: AbortSignal): Promise<readonly Graph[]> =>
  Promise.all(
    charts.map(({ graph }) => get<Graph>(`/analytics/graphs/${graph}`, { query: toQuery(range, split), signal })),
  );

const SplitFields = ({ split }: { readonly split: string }) => {
  const isLabel = useSignal(split.startsWith(labelPrefix));
  return (
    <>
      <Field label={texts.split}>
        {(control) => (
          <select
            {...control}
            class="input"
            value={isLabel.value ? 'label' : split}
            onChange={({ currentTarget: { value } }) => {
              isLabel.value = value === 'label';
              if (value !== 'label') setQuery({ split: value }, { push: true });
            }}
          >
            <option value="">{texts.noSplit}</option>
            {Object.entries(texts.splits).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isLabel.value && (
        <Field label={texts.label}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={128}
              value={split.startsWith(labelPrefix) ? split.slice(labelPrefix.length) : ''}
              onChange={({ currentTarget: { value } }) =>
                setQuery({ split: value === '' ? undefined : `${labelPrefix}${value}` }, { push: true })
              }
            />
          )}
        </Field>
      )}
    </>
  );
};

const UsagePage = ({ query }: PageProps) => {
  const asked = useSignal(Date.now());
  const range = readRange(query, asked.value / 1000);
  const split = query.get('split') ?? '';
  const isCompared = query.get('compare') === '1';
  const isZoomed = query.has('from');
  const loader = useLoaded<Graphs>(
    async (signal) => {
      const [now, before] = await Promise.all([
        readGraphs(range, split, signal),
        isCompared ? readGraphs(rangeBefore(range), '', signal) : undefined,
      ]);
      return { now, ...(before !== undefined && { before }) };
    },
    [range.from, range.to, split, isCompared, workspace.value, asked.value],
  );
  const shown = loader.state.value;
  const names = useKeyNames(
    split === 'key_id' && shown.status === 'ready'
      ? shown.value.now.flatMap(({ splits = [] }) => splits.map(({ value }) => value))
      : [],
  );
  const refresh = (): void => {
    asked.value = Date.now();
  };
  const onBrush = (from: number, to: number): void => {
    const part = brushed(from, to);
    if (part !== undefined) setQuery({ range: undefined, ...part }, { push: true });
  };
  const preset = query.get('range');
  const chosen = isZoomed ? '' : isPreset(preset) ? preset : defaultPreset;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        <Button onClick={refresh}>{texts.refresh}</Button>
      </PageHeader>
      <div class="toolbar usage-ranges">
        <Segments<Preset | ''>
          label={texts.range}
          options={Object.keys(presets)
            .filter(isPreset)
            .map((value) => ({ value, text: texts.ranges[value] }))}
          value={chosen}
          onChange={(value) => setQuery({ range: value, from: undefined, to: undefined }, { push: true })}
        />
        {isZoomed && (
          <Button onClick={() => setQuery({ from: undefined, to: undefined }, { push: true })}>{texts.zoomOut}</Button>
        )}
      </div>
      <div class="toolbar">
        <TimeFields range={range} />
        <SplitFields split={split} />
        <label class="usage-check">
          <input
            type="checkbox"
            checked={isCompared}
            onChange={({ currentTarget: { checked } }) => setQuery({ compare: checked ? '1' : undefined })}
          />
          {texts.compare}
        </label>
      </div>
      <Loaded state={loader.state} retry={loader.reload}>
        {({ now, before }) => {
          const [requests] = now;
          const since = now.find(({ splits_from }) => typeof splits_from === 'number')?.splits_from;
          const isEmpty = (requests?.summary.total ?? 0) === 0 && (before?.[0]?.summary.total ?? 0) === 0;
          if (isEmpty)
            return (
              <EmptyState
                title={texts.empty}
                hint={texts.emptyHint}
                command={texts.emptyCommand(window.location.origin)}
              />
            );
          return (
            <div class="stack">
              {typeof since === 'number' && <Notice>{texts.splitsFrom(toDateTime(since * 1000))}</Notice>}
              <p class="muted">{texts.brush}</p>
              <div class="usage-grid">
                {charts.map((chart, at) => {
                  const graph = now[at];
                  return graph === undefined ? null : (
                    <ChartCard
                      key={chart.graph}
                      chart={chart}
                      graph={graph}
                      before={before?.[at]}
                      names={names}
                      query={toQuery(range, split)}
                      onBrush={onBrush}
                    />
                  );
                })}
              </div>
            </div>
          );
        }}
      </Loaded>
    </>
  );
};

export default UsagePage;
