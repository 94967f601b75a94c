import { post } from '../../api/client.ts';
import type { LoggedEvent } from '../../plan-picture/visited-paths.ts';
import { texts } from '../../texts/request.ts';
import type { TrailStep } from './whole-record.ts';

/** The route of a request through a config, as `POST /logs/{id}/replay` returns it. */
export interface ReplayedWay {
  /** Null if it is unknown. */
  readonly status: number | null;
  readonly cause: string | null;
  readonly calls: readonly { readonly target: string; readonly status: number }[];
  readonly trail: readonly (TrailStep & LoggedEvent)[];
}

/** Where a request would have gone. */
export interface Replay {
  readonly outcome: 'unchanged' | 'elsewhere' | 'refused' | 'undecided';
  readonly lacks: readonly string[];
  readonly before: ReplayedWay;
  readonly after: ReplayedWay;
}

/** A version of a saved config. */
export interface ChosenVersion {
  readonly slug: string;
  readonly version: number;
}

export const replay = (id: string, { slug, version }: ChosenVersion, signal: AbortSignal): Promise<Replay> =>
  post(`/logs/${encodeURIComponent(id)}/replay`, { config: slug, version }, { signal });

const { replayed } = texts;

/** Lists the calls of a route, and the response if it came from the gateway itself. */
const wayText = ({ calls, status, cause }: ReplayedWay): string => {
  const made = calls.map(({ target, status: answered }) => replayed.call(target, answered));
  const isOwn = status !== null && (calls.length === 0 || cause !== null);
  return [...made, ...(isOwn ? [replayed.own(status, cause ?? '')] : [])].join(replayed.then);
};

/** Describes in one sentence what would have been different. */
export const replaySentence = ({ outcome, lacks, before, after }: Replay): string => {
  switch (outcome) {
    case 'unchanged':
      return replayed.unchanged(wayText(before));
    case 'elsewhere':
      return replayed.elsewhere(wayText(before), wayText(after));
    case 'refused':
      return replayed.refused(wayText(before), wayText(after));
    case 'undecided':
      return replayed.undecided(lacks.join(', '));
  }
};
