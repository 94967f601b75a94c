import type { VNode } from 'preact';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Card } from '../../components/small.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/plan.ts';
import type { Circuit } from './circuits.ts';

const { circuits: words } = texts;
const { columns: titles } = words;

const tones = { open: 'bad', 'half-open': 'warning', closed: 'neutral' } as const;

const moment = (seconds: number | null): VNode | string =>
  seconds === null ? words.none : <Time seconds={seconds} isRelative />;

const columns: readonly Column<Circuit>[] = [
  { title: titles.target, cell: ({ target, path }) => <SafeText text={target ?? path ?? words.none} /> },
  { title: titles.state, cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge> },
  {
    title: titles.of,
    cell: ({ kind, model }) => <SafeText text={[kind, model].filter((each) => each !== null).join(' ') || words.all} />,
  },
  { title: titles.failures, cell: ({ failures }) => failures, isNumber: true },
  { title: titles.cause, cell: ({ cause }) => <SafeText text={cause ?? words.none} /> },
  { title: titles.since, cell: ({ opened_at: at }) => moment(at) },
  { title: titles.until, cell: ({ retry_at: at }) => moment(at) },
];

const ofConfig: Column<Circuit> = {
  title: titles.config,
  cell: ({ config }) =>
    config === null ? (
      words.none
    ) : (
      <a href={toHref('/plan', new URLSearchParams({ config }))}>
        <SafeText text={config} />
      </a>
    ),
};

/** A table of circuits that are open or have failures. `hasConfigs` adds a column for the config. */
export const CircuitTable = ({
  circuits,
  hasConfigs = false,
}: {
  readonly circuits: readonly Circuit[];
  readonly hasConfigs?: boolean;
}): VNode => (
  <Card title={words.title}>
    {circuits.length === 0 ? (
      <p class="muted">{words.empty}</p>
    ) : (
      <Table
        caption={words.title}
        columns={hasConfigs ? [ofConfig, ...columns] : columns}
        rows={circuits}
        rowKey={(each) => `${circuits.indexOf(each)}`}
      />
    )}
  </Card>
);
