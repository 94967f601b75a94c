import type { LeafNode } from '../../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../../schema/plan/schedule.ts';
import { targetSettingRows } from '../../../schema/plan/target-settings.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import type { Change, PlanDiff, Undecided } from '../../compare/compare-plans.ts';
import { ownCalls, type SettingsChange, type Side, targetOf } from '../../compare/compared-plan.ts';
import { describeCondition } from '../explain/describe-condition.ts';
import { describeStage } from '../explain/describe-stage.ts';
import { formatDuration } from '../explain/words.ts';
import { type CallLabels, leafLabel } from './call-labels.ts';
import { courseText } from './course-text.ts';

/** A change for some requests, in words: one line for each fact. */
export interface ChangeWords {
  /** The requests: `Requests where metadata.tier is "gold"`. */
  readonly requests: string;
  /** When the change applies, if not always. */
  readonly only?: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** A request that the change affects, as JSON. */
  readonly example?: string;
}

/** Returns the settings of a leaf, by name. */
const settingWords = (side: Side, leaf: LeafNode): ReadonlyMap<string, string> => {
  const target = targetOf(side.plan, leaf);
  const { timeoutMs = defaultTimeoutMs } = target;
  const own = targetSettingRows.flatMap(({ name }) =>
    name === 'timeoutMs' || target[name] === undefined
      ? []
      : [[name, `${name} ${JSON.stringify(target[name])}`] as const],
  );
  return new Map([
    ['timeoutMs', `a time-out of ${formatDuration(timeoutMs)}`],
    ...own,
    ...leaf.stages.map((stage) => [stage.kind, describeStage(stage)] as const),
  ]);
};

/** Returns the settings that differ between some leaves and the leaves that replace them. */
const settingsBefore = (
  [side, leaves]: readonly [Side, readonly LeafNode[]],
  [otherSide, others]: readonly [Side, readonly LeafNode[]],
): string => {
  const all = others.map((leaf) => settingWords(otherSide, leaf));
  const own = leaves.map((leaf) => settingWords(side, leaf));
  const names = new Set([...own, ...all].flatMap((words) => [...words.keys()]));
  const texts = own.map((words) => {
    const differing = [...names].filter((name) => all.some((other) => other.get(name) !== words.get(name)));
    return differing.map((name) => words.get(name) ?? `no ${name.replace('-', ' ')}`).join('; ');
  });
  return [...new Set(texts)].join(' | ');
};

const settingsLines = (
  settings: readonly SettingsChange[],
  { before, after }: PlanDiff,
  labels: CallLabels,
  isBefore: boolean,
) =>
  settings.map((change) => {
    const [old, now] = [[before, change.before] as const, [after, change.after] as const];
    const text = isBefore ? settingsBefore(old, now) : settingsBefore(now, old);
    return `${labels(change.call)}: ${text === '' ? 'other members of the same stages' : text}`;
  });

/** Lists what else differs if calls are replaced by others. Settings that all of them have in common are omitted. */
const replacedLines = (
  [side, calls]: readonly [Side, ReturnType<typeof ownCalls>],
  [otherSide, others]: readonly [Side, ReturnType<typeof ownCalls>],
  labels: CallLabels,
): readonly string[] => {
  const replaced = [...others.values()].flat();
  return [...calls].flatMap(([call, leaves]) => {
    const text = settingsBefore([side, leaves], [otherSide, replaced]);
    return text === '' ? [] : [`${labels(call)}: ${text}`];
  });
};

/** Describes the requests that a change affects. */
const requestsText = ({ when }: Pick<Change, 'when'>): string =>
  when.kind === 'all' && when.of.length === 0 ? 'All requests' : `Requests where ${describeCondition(when)}`;

const exampleText = ({ example }: Change): string | undefined => {
  if (example === undefined) return undefined;
  const { metadata, params, plan, url } = example;
  const has = (members: object): boolean => Object.keys(members).length > 0;
  const facts = {
    ...(url.pathname !== '/v1/chat/completions' && { path: url.pathname }),
    ...(has(metadata) && { metadata }),
    ...(has(params) && { body: params }),
    ...(plan && { plan_model: plan.model }),
  };
  return has(facts) ? JSON.stringify(facts) : undefined;
};

/** Describes a change, using the names of the calls. */
export const changeWords = (change: Change, diff: PlanDiff, labels: CallLabels): ChangeWords => {
  const { tree } = change;
  const { before, after, classes } = diff;
  const example = exampleText(change);
  const about = { requests: requestsText(change), ...(example !== undefined && { example }) };
  const courses = {
    before: courseText(tree.before, { label: leafLabel(labels, before), classes }),
    after: courseText(tree.after, { label: leafLabel(labels, after), classes }),
  };
  switch (tree.kind) {
    case 'route': {
      const old = { ...before, root: tree.roots.before };
      const now = { ...after, root: tree.roots.after };
      const [gone, added] = [[before, ownCalls(old, now)] as const, [after, ownCalls(now, old)] as const];
      return {
        ...about,
        before: [
          ...courses.before,
          ...replacedLines(gone, added, labels),
          ...settingsLines(tree.settings, diff, labels, true),
        ],
        after: [
          ...courses.after,
          ...replacedLines(added, gone, labels),
          ...settingsLines(tree.settings, diff, labels, false),
        ],
      };
    }
    case 'settings':
      return {
        ...about,
        before: settingsLines(tree.settings, diff, labels, true),
        after: settingsLines(tree.settings, diff, labels, false),
      };
    case 'state': {
      const { open, unable } = tree.situation;
      const states = [
        ...(open.length === 0 ? [] : [`the circuit of ${formatList(open.map(labels))} is open`]),
        ...(unable.length === 0 ? [] : [`${formatList(unable.map(labels))} cannot serve the request`]),
      ];
      return { ...about, only: `while ${formatList(states)}`, ...courses };
    }
  }
};

/** Describes what could not be compared. */
export const undecidedText = (undecided: Undecided): string =>
  undecided.kind === 'conditions'
    ? 'Not all requests were compared: the conditions of the two configs divide them into too many kinds.'
    : `${requestsText(undecided)} are treated alike while every circuit is closed. There are too many circuits to compare what is done while some are open.`;
