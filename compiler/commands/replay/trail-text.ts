import { type JsonPointer, toOptionPath } from '../../../schema/pointer.ts';
import type { TrailEvent } from '../../../schema/trail.ts';
import { durationWords, listWords } from '../explain/words.ts';

const originWords = {
  upstream: 'from the provider',
  network: 'no connection',
  timeout: 'time-out',
  cache: 'from the cache',
  check: 'by a check',
  limit: 'by a limit',
  gateway: 'by the gateway',
} as const;

/** Branches are counted from 1, as a reader of the tree counts them. */
const branchWords = (branches: readonly number[]): string =>
  `branch${branches.length === 1 ? '' : 'es'} ${listWords(branches.map((branch) => String(branch + 1)))}`;

const eventWords = (event: Exclude<TrailEvent, { kind: 'clientLeft' }>): string => {
  switch (event.kind) {
    case 'chose':
      return `chose ${branchWords([event.branch])}`;
    case 'skipped':
      return `left out ${branchWords(event.branches)}: open circuits`;
    case 'attempted':
      return `attempt ${event.attempt} at ${event.target}: ${event.status} (${originWords[event.origin]})`;
    case 'retried':
      return `waited ${durationWords(event.waitMs)} for retry ${event.retry}`;
    case 'fellBack':
      return `fell back from branch ${event.from + 1} to ${event.to + 1} on ${event.status}`;
    case 'checked':
      return `${event.phase} checks: ${event.result}`;
    case 'circuitChanged':
      return `circuit: ${event.from} → ${event.to}`;
    case 'streamFailed':
      return `the stream broke: ${event.cause}`;
  }
};

const place = (path: JsonPointer): string => toOptionPath(path);

/** A trail for a person: one event to a line, each with its place in the config. */
export const trailText = (trail: readonly TrailEvent[]): string => {
  const lines = trail.map((event): readonly [string, string] =>
    event.kind === 'clientLeft' ? ['', 'the client left'] : [place(event.path), eventWords(event)],
  );
  const width = Math.max(0, ...lines.map(([where]) => where.length));
  return lines.map(([where, words]) => `${where.padEnd(width)}  ${words}\n`).join('');
};
