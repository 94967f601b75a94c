import { dayMs, hourMs } from '../../../../../schema/durations.ts';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { formatUsd } from '../../../../../schema/text/format-usd.ts';
import type { Principal } from '../../../../sdk/exchange/exchange.ts';
import { findWorkspace, type PageQuery, toPage } from '../../../kernel/records/records.ts';
import { refuse } from '../../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../../kernel/requests/to-seconds.ts';
import type { ControlParts } from '../../../kernel/resource/control-parts.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { firstAttemptAt } from '../rows/ledger-store.ts';
import { type UsageDimension, type UsageGroup, type UsageQuery, type UsageSums, usageGroups } from './usage-store.ts';

/** A query for usage. Times are seconds since the epoch. */
export interface UsageAsked extends PageQuery {
  readonly from?: number;
  readonly to?: number;
  /** Names of dimensions, and `metadata.NAME`; several behind one another or between commas. */
  readonly group_by?: readonly string[];
  readonly workspace_id?: string;
  readonly key?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly config?: string;
  /** `NAME=VALUE`. */
  readonly metadata?: string;
}

/** Sums as they are shown: tokens by sort, attempts by the kind of their usage, and the cost in decimal digits of US dollars. */
export type UsageView = UsageSums & { readonly cost: string };

export interface UsageReport {
  readonly object: 'list';
  readonly from: number;
  readonly to: number;
  /** Since when single attempts are kept, in seconds since the epoch; null where there is none. */
  readonly attempts_from: number | null;
  readonly total: number;
  readonly data: readonly object[];
  readonly summary: UsageView;
}

export interface UsageAsker {
  readonly requestScope: RequestScope;
  readonly caller: Principal;
}

const dimensions: readonly UsageDimension[] = ['workspace', 'key', 'model', 'provider', 'config', 'day', 'hour'];

const defaultMs = 30 * dayMs;

const isDimension = (name: string): name is UsageDimension => dimensions.some((each) => each === name);

const labelPrefix = 'metadata.';

const queryProblem = (name: string, message: string, hint: string): InputProblem => ({
  ...{ in: 'query', pointer: toPointer([name]), message, hint },
});

interface Grouping {
  readonly by: readonly UsageDimension[];
  readonly byLabel: string | undefined;
  readonly problems: readonly InputProblem[];
}

const toGrouping = (texts: readonly string[]): Grouping => {
  const names = [...new Set(texts.flatMap((text) => text.split(',')))];
  const labels = names.filter((name) => name.startsWith(labelPrefix)).map((name) => name.slice(labelPrefix.length));
  const others = names.filter((name) => !name.startsWith(labelPrefix));
  const words = `Write some of ${dimensions.join(', ')} and metadata.NAME.`;
  const problems = [
    ...others
      .filter((name) => !isDimension(name))
      .map((name) => queryProblem('group_by', `Usage is not grouped by ${JSON.stringify(name.slice(0, 255))}.`, words)),
    ...(labels.length > 1
      ? [queryProblem('group_by', 'Usage is grouped by one label at a time.', 'Name one metadata.NAME.')]
      : []),
    ...(labels.includes('') ? [queryProblem('group_by', 'A label has a name.', 'Write metadata.NAME.')] : []),
  ];
  return { by: others.filter(isDimension), byLabel: labels[0], problems };
};

interface Filtering {
  readonly onlyLabel: UsageQuery['onlyLabel'];
  readonly problems: readonly InputProblem[];
}

const toFilter = (text: string | undefined, { by, byLabel }: Grouping): Filtering => {
  const at = text?.indexOf('=') ?? 0;
  const onlyLabel = text === undefined ? undefined : { name: text.slice(0, at), value: text.slice(at + 1) };
  const problems: InputProblem[] = [];
  if (onlyLabel !== undefined && at < 1)
    problems.push(queryProblem('metadata', 'This is no label with its value.', 'Write NAME=VALUE.'));
  if (onlyLabel !== undefined && byLabel !== undefined && onlyLabel.name !== byLabel)
    problems.push(
      queryProblem(
        'metadata',
        'Usage is not known by two labels at once.',
        'Name the same label in group_by, or none.',
      ),
    );
  if ((onlyLabel !== undefined || byLabel !== undefined) && by.includes('hour'))
    problems.push(queryProblem('group_by', 'What has a label is summed by days.', 'Write day in the place of hour.'));
  return { onlyLabel, problems };
};

/** The whole hours, or days, that a span of time touches. */
const toSpan = (asked: UsageAsked, { now, unit }: { readonly now: number; readonly unit: number }) => {
  const to = asked.to === undefined ? now : asked.to * 1000;
  const from = asked.from === undefined ? to - defaultMs : asked.from * 1000;
  const problems =
    from < to ? [] : [queryProblem('from', 'The time "from" is not before "to".', 'Write an earlier one.')];
  return { from: Math.floor(from / unit) * unit, to: Math.ceil(to / unit) * unit, problems };
};

const toView = ({ nano_usd, ...sums }: UsageSums): UsageView => ({
  requests: sums.requests,
  attempts: sums.attempts,
  input_tokens: sums.input_tokens,
  cache_read_tokens: sums.cache_read_tokens,
  cache_write_tokens: sums.cache_write_tokens,
  audio_tokens: sums.audio_tokens,
  output_tokens: sums.output_tokens,
  reasoning_tokens: sums.reasoning_tokens,
  cost: formatUsd(BigInt(nano_usd)),
  nano_usd,
  unpriced: sums.unpriced,
  reported: sums.reported,
  partial: sums.partial,
  estimated: sums.estimated,
  none: sums.none,
});

const shownDimension = (name: UsageDimension, value: string | number | undefined): string | number | null => {
  if (typeof value === 'number') return toSeconds(value);
  return value === undefined || (value === '' && name !== 'model') ? null : value;
};

const toGroup = (group: UsageGroup, { by, byLabel }: Grouping): object => ({
  ...Object.fromEntries(by.map((name) => [name, shownDimension(name, group[name])])),
  ...(byLabel !== undefined && { [`${labelPrefix}${byLabel}`]: group.label ?? null }),
  ...(group.is_other === 1 && { is_other: true }),
  ...toView(group),
});

type UsageParts = Pick<ControlParts, 'store' | 'now'>;

/** Finds the workspace that is asked for; undefined for all of the organisation. */
const readWorkspace = async (
  { db }: Store,
  { requestScope, caller }: UsageAsker,
  name: string | undefined,
): Promise<string | undefined> => {
  const reached = caller.reach === 'organisation' ? undefined : requestScope.tenant;
  if (name === undefined) return reached;
  const found = await findWorkspace(db, requestScope.organisation, name);
  const isReached = found !== undefined && (reached === undefined || found === reached);
  const missing = `There is no workspace ${JSON.stringify(name.slice(0, 255))}.`;
  if (!isReached) refuse([queryProblem('workspace_id', missing, 'GET /v1/workspaces lists those that you reach.')]);
  return found;
};

/** Reports what has been used, as far as a caller may see it. Rejects with the `GatewayError` `invalid-input`. */
export const reportUsage = async (
  { store, now }: UsageParts,
  asker: UsageAsker,
  asked: UsageAsked,
): Promise<UsageReport> => {
  const grouping = toGrouping(asked.group_by ?? []);
  const { by, byLabel } = grouping;
  const { onlyLabel, problems: filterProblems } = toFilter(asked.metadata, grouping);
  const unit = byLabel === undefined && onlyLabel === undefined ? hourMs : dayMs;
  const { problems, ...span } = toSpan(asked, { now: now(), unit });
  refuse([...grouping.problems, ...filterProblems, ...problems]);
  const { key, model, provider, config } = asked;
  const { total, groups, summary } = await usageGroups(store.db, {
    organisation: asker.requestScope.organisation,
    workspace: await readWorkspace(store, asker, asked.workspace_id),
    ...{ ...span, by, byLabel, onlyLabel },
    only: {
      ...(key !== undefined && { key }),
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      ...(config !== undefined && { config }),
    },
    ...toPage(asked),
  });
  const first = await firstAttemptAt(store);
  return {
    ...{ object: 'list', from: toSeconds(span.from), to: toSeconds(span.to), total },
    attempts_from: first === undefined ? null : toSeconds(first),
    data: groups.map((group) => toGroup(group, grouping)),
    summary: toView(summary),
  };
};
