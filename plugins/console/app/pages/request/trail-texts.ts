import { toDuration, toInteger } from '../../components/formats.ts';
import { texts } from '../../texts/request.ts';
import type { TrailStep, WholeRecord } from './whole-record.ts';

const { way } = texts;

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const list = (value: unknown): string => (Array.isArray(value) ? value.map((each) => number(each) + 1).join(', ') : '');

const tokensOf = (usage: unknown): string => {
  const { input, output } = (usage ?? {}) as {
    readonly input?: { total?: number };
    readonly output?: { total?: number };
  };
  return toInteger(number(input?.total) + number(output?.total));
};

const toCacheText = (status: string, similarity: unknown): string =>
  typeof similarity === 'number' ? texts.similar(status, similarity) : status;

/** Describes what the cache did for a request, with the similarity of the entry that it found or of the nearest one. */
export const cacheText = ({
  cache_status: status,
  leaf,
  trail,
}: Pick<WholeRecord, 'cache_status' | 'leaf' | 'trail'>): string | null => {
  const step = trail.findLast(({ kind, path }) => (kind === 'cached' || kind === 'missed') && path === leaf);
  return status === null ? null : toCacheText(status, step?.similarity);
};

const kinds: Readonly<Record<string, (step: TrailStep) => string>> = {
  chose: ({ branch }) => way.chose(number(branch)),
  skipped: ({ branches }) => way.skipped(list(branches)),
  unable: () => way.unable,
  attempted: ({ target, status }) => way.attempted(text(target), number(status)),
  settled: ({ target, usage }) => way.settled(text(target), tokensOf(usage)),
  retried: ({ retry, waitMs }) => way.retried(number(retry), toDuration(number(waitMs))),
  fellBack: ({ from, to, status }) => way.fellBack(number(from), number(to), number(status)),
  hedged: ({ to, afterMs }) => way.hedged(number(to), toDuration(number(afterMs))),
  hedgeEnded: ({ result }) => way.hedgeEnded(text(result)),
  cached: ({ status, ageS, similarity }) =>
    way.cached(toCacheText(text(status), similarity), toDuration(number(ageS) * 1000)),
  missed: ({ similarity }) => way.missed(number(similarity)),
  checked: ({ phase, result, erred }) => way.checked(text(phase), text(result), erred === true),
  circuitChanged: ({ from, to }) => way.circuit(text(from), text(to)),
  mirrored: ({ target }) => way.mirrored(text(target)),
  streamFailed: ({ cause }) => way.streamFailed(text(cause)),
  continued: ({ to, cause }) => way.continued(number(to), text(cause)),
  notContinued: ({ reason }) => way.notContinued(text(reason)),
  deadlinePassed: ({ ms }) => way.deadlinePassed(toDuration(number(ms))),
  clientLeft: () => way.clientLeft,
};

/** Describes a step in a clause. For a kind that this page does not know, lists its members. */
export const describeStep = (step: TrailStep): string =>
  Object.hasOwn(kinds, step.kind) ? (kinds[step.kind]?.(step) ?? step.kind) : JSON.stringify(step);
