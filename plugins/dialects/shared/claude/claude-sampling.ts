import type { Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../json/defined.ts';
import { fitTemperature } from '../request/fit-temperature.ts';
import type { Lost } from '../request/lost.ts';

/** The models since Opus 4.7, by the names that services give them. */
const fixedModel = /claude-(?:fable|mythos|(?:opus|sonnet|haiku)-(?:4[-.][7-9]|[5-9]|\d\d)(?!\d))/;

/** The least `top_p` beside thinking: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility */
const minBesideThinking = 0.95;

const names = ['temperature', 'topP', 'topK'] as const;

/** Removes stop sequences that contain only white space, which the API rejects. */
const fitStop = (stop: readonly string[] | undefined, lost: Lost): readonly string[] | undefined => {
  const kept = stop?.filter((sequence) => sequence.trim() !== '');
  if (kept?.length !== stop?.length) lost.push('sampling.stop');
  return kept?.length === 0 ? undefined : kept;
};

/**
 * Returns the sampling settings that a Claude model accepts: temperatures are from 0 to 1, and exclude `top_p`. Thinking allows
 * only a temperature of 1 and a high `top_p`, and the models since Opus 4.7 allow only that temperature:
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide
 */
export const claudeSampling = ({ model = '', sampling }: Conversation, isThinking: boolean, lost: Lost): Sampling => {
  const isFixed = fixedModel.test(model);
  const isFree = !isFixed && !isThinking;
  const heat = fitTemperature(sampling.temperature);
  const temperature = isFree || heat === 1 ? heat : undefined;
  const isTopPSent = temperature === undefined && (isFree || (!isFixed && (sampling.topP ?? 0) >= minBesideThinking));
  const fitted = defined({
    ...sampling,
    temperature,
    topP: isTopPSent ? sampling.topP : undefined,
    topK: isFree ? sampling.topK : undefined,
    stop: fitStop(sampling.stop, lost),
  });
  for (const name of names) if (fitted[name] !== sampling[name]) lost.push(`sampling.${name}`);
  return fitted;
};
