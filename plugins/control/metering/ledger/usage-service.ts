import { type DeclaredLabels, findLabel } from '../../../../schema/config/declared-labels.ts';
import { dayMs, hourMs } from '../../../../schema/durations.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { closestName } from '../../../../schema/text/closest-name.ts';
import { formatUsd } from '../../../../schema/text/format-usd.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { findWorkspace, type PageQuery, toPage } from '../../kernel/records/records.ts';
import { queryProblem, refuse } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { firstAttemptAt } from './ledger-store.ts';
import { type UsageDimension, type UsageGroup, type UsageQuery, type UsageSums, usageGroups } from './usage-store.ts';

/** A query for usage. Times are seconds since the epoch. */
export interface UsageAsked extends PageQuery {
  readonly from?: number;
  readonly to?: number;
  /** Names of dimensions, and `metadata.NAME`; several may be repeated or separated by commas. */
  readonly group_by?: readonly string[];
  readonly workspace_id?: string;
  readonly key?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly config?: string;
  /** `NAME=VALUE`. */
  readonly metadata?: string;
}

/** Sums as they are shown: tokens by type, attempts by the kind of their usage, and the cost in decimal digits of US dollars. */
export type UsageView = UsageSums & { readonly cost: string };

export interface UsageReport {
  readonly object: 'list';
  readonly from: number;
  readonly to: number;
  /** Since when single attempts are stored, in seconds since the epoch; null if there are none. */
  readonly attempts_from: number | null;
  readonly total: number;
  readonly data: readonly object[];
  readonly summary: UsageView;
  /** A note that no request has the requested label, with the declared label that is similar to it. */
  readonly note?: string;
}

const dimensions: readonly UsageDimension[] = ['workspace', 'key', 'model', 'provider', 'config', 'day', 'hour'];

const defaultMs = 30 * dayMs;

const isDimension = (name: string): name is UsageDimension => dimensions.some((each) => each === name);

const labelPrefix = 'metadata.';

const problemIf = (isWrong: boolean, ...problem: Parameters<typeof queryProblem>): readonly InputProblem[] =>
  isWrong ? [queryProblem(...problem)] : [];

const isLabel = (name: string): boolean => name.startsWith(labelPrefix);

/** Reads the dimensions to group by, and the label to select. Throws the `GatewayError` `invalid-input`. */
const readDimensions = ({ group_by = [], metadata }: UsageAsked) => {
  const names = [...new Set(group_by.flatMap((text) => text.split(',')))];
  const labels = names.filter(isLabel).map((name) => name.slice(labelPrefix.length));
  const others = names.filter((name) => !isLabel(name));
  const [byLabel] = labels;
  const by = others.filter(isDimension);
  const at = metadata?.indexOf('=') ?? 0;
  const onlyLabel = metadata === undefined ? undefined : { name: metadata.slice(0, at), value: metadata.slice(at + 1) };
  const hasLabel = onlyLabel !== undefined || byLabel !== undefined;
  const isOfTwo = onlyLabel !== undefined && byLabel !== undefined && onlyLabel.name !== byLabel;
  const words = `Write some of ${dimensions.join(', ')} and metadata.NAME, for the label NAME.`;
  const problems = [
    ...others
      .filter((name) => !isDimension(name))
      .map((name) =>
        queryProblem('group_by', `Usage cannot be grouped by ${JSON.stringify(name.slice(0, 255))}.`, words),
      ),
    ...problemIf(
      labels.length > 1,
      'group_by',
      'Usage can be grouped by only one label at a time.',
      'Name one metadata.NAME.',
    ),
    ...problemIf(labels.includes(''), 'group_by', 'A label has a name.', 'Write metadata.NAME.'),
    ...problemIf(
      onlyLabel !== undefined && at < 1,
      'metadata',
      'This is not a label with its value.',
      'Write NAME=VALUE.',
    ),
    ...problemIf(
      isOfTwo,
      'metadata',
      'Usage cannot be reported by two labels at once.',
      'Name the same label in group_by, or none.',
    ),
    ...problemIf(
      hasLabel && by.includes('hour'),
      'group_by',
      'Usage with a label is summed by days.',
      'Write day instead of hour.',
    ),
  ];
  return { by, byLabel, onlyLabel, unit: hasLabel ? dayMs : hourMs, problems };
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

const toGroup = (group: UsageGroup, { by, byLabel }: Pick<UsageQuery, 'by' | 'byLabel'>): object => ({
  ...Object.fromEntries(by.map((name) => [name, shownDimension(name, group[name])])),
  ...(byLabel !== undefined && { [`${labelPrefix}${byLabel}`]: group.label ?? null }),
  ...(group.is_other === 1 && { is_other: true }),
  ...toView(group),
});

interface UsageReporting extends Pick<ControlParts, 'store' | 'now'> {
  readonly requestScope: RequestScope;
  readonly caller: Principal;
  /** The labels that the gateway file declares; none if absent. */
  readonly labels?: DeclaredLabels | undefined;
}

/** Returns the note for a label that no group has and that is similar to a declared one. */
const noteOfLabel = (
  labels: DeclaredLabels,
  name: string | undefined,
  groups: readonly UsageGroup[],
): string | undefined => {
  if (name === undefined || findLabel(labels, name) !== undefined) return undefined;
  if (groups.some(({ label, is_other }) => is_other === 1 || (label ?? null) !== null)) return undefined;
  const declared = closestName(name, Object.keys(labels));
  return declared && `No request of this time has the label ${JSON.stringify(name)}. Did you mean "${declared}"?`;
};

/** Returns the requested workspace; undefined for the whole organisation. */
const readWorkspace = async (
  { store, requestScope, caller }: UsageReporting,
  name: string | undefined,
): Promise<string | undefined> => {
  const reached = caller.reach === 'organisation' ? undefined : requestScope.tenant;
  if (name === undefined) return reached;
  const found = await findWorkspace(store.db, requestScope.organisation, name);
  const isReached = found !== undefined && (reached === undefined || found === reached);
  const missing = `There is no workspace ${JSON.stringify(name.slice(0, 255))}.`;
  refuse(problemIf(!isReached, 'workspace_id', missing, 'GET /v1/workspaces lists those that you reach.'));
  return found;
};

/** Reports usage, as far as a caller may see it. Rejects with the `GatewayError` `invalid-input`. */
export const reportUsage = async (reporting: UsageReporting, asked: UsageAsked): Promise<UsageReport> => {
  const { store, now, requestScope } = reporting;
  const { problems, unit, ...grouping } = readDimensions(asked);
  const { key, model, provider, config } = asked;
  const until = asked.to === undefined ? now() : asked.to * 1000;
  const since = asked.from === undefined ? until - defaultMs : asked.from * 1000;
  refuse([
    ...problems,
    ...problemIf(since >= until, 'from', 'This is not before the end of the period.', 'Write an earlier one.'),
  ]);
  // The whole hours, or days, that the period touches.
  const [from, to] = [Math.floor(since / unit) * unit, Math.ceil(until / unit) * unit];
  const { total, groups, summary } = await usageGroups(store.db, {
    ...grouping,
    organisation: requestScope.organisation,
    workspace: await readWorkspace(reporting, asked.workspace_id),
    only: { key, model, provider, config },
    ...{ from, to, ...toPage(asked) },
  });
  const first = await firstAttemptAt(store);
  const { byLabel, onlyLabel } = grouping;
  const note = noteOfLabel(reporting.labels ?? {}, byLabel ?? onlyLabel?.name, groups);
  return {
    ...{ object: 'list', from: toSeconds(from), to: toSeconds(to), total },
    attempts_from: first === undefined ? null : toSeconds(first),
    data: groups.map((group) => toGroup(group, grouping)),
    summary: toView(summary),
    ...(note === undefined ? {} : { note }),
  };
};
