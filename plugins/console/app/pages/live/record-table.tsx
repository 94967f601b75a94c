import { Component } from 'preact';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { Time } from '../../components/time.tsx';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/live.ts';
import { type LogRecord, toUsd } from './log-record.ts';

const { columns } = texts;

/** The most characters of a name. Longer names would hide the others; the page of the request shows them in full. */
const longest = 60;
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const cells: readonly (readonly [title: string, isNumber: boolean])[] = [
  ...([columns.time, columns.status, columns.model, columns.provider, columns.config] as const).map(
    (title) => [title, false] as const,
  ),
  ...([columns.duration, columns.tokens, columns.cost, columns.attempts] as const).map(
    (title) => [title, true] as const,
  ),
  [columns.cause, false],
];

const OptionalText = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? <span class="muted">–</span> : <SafeText text={shorten(text)} />;

/** A row. It is rendered only once, because a record never changes. */
class Row extends Component<{ readonly record: LogRecord }> {
  override shouldComponentUpdate(): boolean {
    return false;
  }

  override render({ record }: { readonly record: LogRecord }) {
    return (
      <tr>
        <td data-label={columns.time}>
          <a href={toHref(`/requests/${record.id}`)}>
            <Time seconds={record.created_at} />
          </a>
        </td>
        <td data-label={columns.status}>
          <Badge tone={record.is_success ? 'good' : 'bad'}>{record.status}</Badge>
        </td>
        <td data-label={columns.model}>
          <OptionalText text={record.model ?? record.requested_model} />
        </td>
        <td data-label={columns.provider}>
          <OptionalText text={record.slug ?? record.provider} />
        </td>
        <td data-label={columns.config}>
          <OptionalText text={record.config} />
        </td>
        <td class="number" data-label={columns.duration}>
          {toDuration(record.ms)}
        </td>
        <td class="number" data-label={columns.tokens}>
          {toInteger(record.total_tokens)}
        </td>
        <td class="number" data-label={columns.cost}>
          {record.cost_nano_usd === 0 ? <span class="muted">–</span> : toMoney(toUsd(record))}
        </td>
        <td class={record.attempt_count > 1 ? 'number' : 'number usual'} data-label={columns.attempts}>
          {record.attempt_count}
        </td>
        <td data-label={columns.cause}>
          <OptionalText text={record.problem?.cause ?? record.cause} />
        </td>
      </tr>
    );
  }
}

/** Requests, each with a link to its page. */
export const RecordTable = ({ records }: { readonly records: readonly LogRecord[] }) => (
  <div class="table-frame live-frame">
    <table class="table live-table">
      <caption class="visually-hidden">{texts.title}</caption>
      <thead>
        <tr>
          {cells.map(([title, isNumber]) => (
            <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={record.id} record={record} />
        ))}
      </tbody>
    </table>
  </div>
);
