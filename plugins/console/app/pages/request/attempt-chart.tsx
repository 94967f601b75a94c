import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Card } from '../../components/small.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { texts } from '../../texts/request.ts';
import { layOutAttempts } from './waterfall.ts';
import type { Attempt, WholeRecord } from './whole-record.ts';

const { attempts: words } = texts;
const rowHeight = 22;
const barHeight = 12;

const toTime = (ms: number | undefined): string => (ms === undefined ? texts.facts.none : toDuration(ms));

const isGood = ({ status }: Attempt): boolean => status < 400;

const columns: readonly Column<Attempt>[] = [
  {
    title: words.target,
    cell: ({ target, attempt, key, provider, slug }) => (
      <>
        <SafeText text={slug === undefined ? target : `${target} (${slug})`} />{' '}
        <span class="muted">
          <SafeText
            text={[provider, words.number(attempt), ...(key === undefined ? [] : [words.ofKey(key)])]
              .filter((text) => text !== undefined)
              .join(', ')}
          />
        </span>
      </>
    ),
  },
  {
    title: words.status,
    cell: (attempt) => (
      <>
        <Badge tone={isGood(attempt) ? 'good' : 'bad'}>{attempt.status}</Badge>{' '}
        {attempt.origin !== 'upstream' && (
          <span class="muted">
            <SafeText text={attempt.cause ?? words.gateway} />
          </span>
        )}
      </>
    ),
  },
  { title: words.sent, cell: ({ sent_ms }) => toTime(sent_ms), isNumber: true },
  { title: words.head, cell: ({ first_byte_ms }) => toTime(first_byte_ms), isNumber: true },
  { title: words.end, cell: ({ last_byte_ms }) => toTime(last_byte_ms), isNumber: true },
  {
    title: words.tokens,
    cell: ({ usage }) => (usage === undefined ? texts.facts.none : toInteger(usage.input_tokens + usage.output_tokens)),
    isNumber: true,
  },
  {
    title: words.cost,
    cell: ({ usage }) =>
      usage?.cost_nano_usd === undefined ? texts.facts.none : toMoney(usage.cost_nano_usd / nanoPerUsd),
    isNumber: true,
  },
];

/** The attempts of a request on a time axis, and the same as a table. */
export const AttemptChart = ({ record: { attempts, ms } }: { readonly record: WholeRecord }) => {
  if (attempts.length === 0)
    return (
      <Card title={words.title}>
        <p class="muted">{words.none}</p>
      </Card>
    );
  const height = attempts.length * rowHeight;
  return (
    <Card title={words.title}>
      <div class="stack">
        <svg
          class="waterfall"
          viewBox={`0 0 1000 ${height}`}
          preserveAspectRatio="none"
          height={height}
          role="img"
          aria-label={words.chart(attempts.length, toDuration(ms))}
        >
          {layOutAttempts(attempts, ms).map(({ start, head, end }, at) => {
            const y = at * rowHeight + (rowHeight - barHeight) / 2;
            const tone = isGood(attempts[at] as Attempt) ? 'good' : 'bad';
            return (
              <g key={`${at}`} class={tone}>
                <line x1="0" x2="1000" y1={y + barHeight / 2} y2={y + barHeight / 2} />
                <rect class="until-head" x={start} y={y} width={head - start} height={barHeight} />
                <rect class="until-end" x={head} y={y} width={end - head} height={barHeight} />
              </g>
            );
          })}
        </svg>
        <p class="waterfall-key muted" aria-hidden="true">
          <span class="swatch waiting" /> {words.waiting} <span class="swatch answering" /> {words.answering}
        </p>
        <Table
          caption={words.title}
          columns={columns}
          rows={attempts}
          rowKey={({ path, attempt, target }) => `${path} ${attempt} ${target}`}
        />
      </div>
    </Card>
  );
};
