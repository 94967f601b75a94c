import { isPlanLabel, planLabel } from '../../../schema/plan/hash-plan.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { branchNames } from '../explain/branch-names.ts';
import { formatDuration } from '../explain/words.ts';
import { loggedProblem } from './logged-problem.ts';
import type { ReplayedRequest } from './replay-request.ts';
import { trailText } from './trail-text.ts';

const answerText = ({ status, leaf, ms }: ReplayedRequest): string => {
  const from = leaf === undefined ? '' : ` from ${leaf.path} (${leaf.provider}), retry count ${leaf.retries}`;
  // Recorded steps without times take none, which is not worth showing.
  return Math.round(ms) === 0 ? `${status}${from}` : `${status}${from}, after ${formatDuration(ms)}`;
};

const recordedText = ({ recorded }: ReplayedRequest): string => {
  if (recorded === undefined) return '';
  const on = recorded.on === undefined ? '' : ` on ${recorded.on}`;
  return recorded.differsAt === null
    ? `The trail is the one recorded${on}.\n`
    : `The trail is not the one recorded${on}: line ${recorded.differsAt + 1} of it differs, so the config, or what it names, has changed since.\n`;
};

/** The log contains what the trail does not: why a request was refused, and what to do. */
const loggedText = ({ recorded }: ReplayedRequest): string =>
  recorded?.problem === undefined ? '' : `${loggedProblem(recorded.problem)}\n`;

type ShownPlan = Pick<RoutingPlan, 'root' | 'name' | 'hash'>;

/** States that the request was recorded on another plan than the one that is shown. */
const changedText = ({ recorded }: ReplayedRequest, plan: ShownPlan): string => {
  const on = recorded?.on;
  if (on === undefined || isPlanLabel(on, plan)) return '';
  const now = planLabel(plan);
  const name = now.slice(0, now.lastIndexOf('@'));
  return on.slice(0, on.lastIndexOf('@')) === name
    ? `The request ran on ${on}, and ${name} is ${now} now.\n`
    : `The request ran on ${on}, and not on ${now}, which is shown here.\n`;
};

const unusedText = ({ unusedSteps, recorded }: ReplayedRequest): string => {
  if (unusedSteps === 0) return '';
  const were = unusedSteps === 1 ? 'was' : 'were';
  return recorded === undefined
    ? `${formatCount(unusedSteps, 'step')} of "upstream" ${were} not used.\n`
    : `${formatCount(unusedSteps, 'recorded call')} ${were} not repeated.\n`;
};

/** Describes a replay as text. Ends with a newline. */
export const replayText = (request: ReplayedRequest, plan: ShownPlan): string =>
  [
    `${request.method} ${request.path}, seed ${request.seed}\n\n`,
    trailText(request.trail, branchNames(plan)),
    request.trail.length > 0 ? '\n' : '',
    `${answerText(request)}\n`,
    unusedText(request),
    loggedText(request),
    recordedText(request),
    changedText(request, plan),
  ].join('');
