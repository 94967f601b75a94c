import { formatList } from '../../../schema/text/format-list.ts';
import { printable } from '../../../schema/text/printable.ts';
import { describeCircuit } from '../../../schema/trail/circuit-name.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { BranchNames } from '../explain/branch-names.ts';
import { formatDuration } from '../explain/words.ts';

const describeOrigin = {
  upstream: 'from the provider',
  network: 'no connection',
  timeout: 'time-out',
  cache: 'from the cache',
  check: 'by a check',
  limit: 'by a limit',
  gateway: 'by the gateway',
} as const;

/** Keys are numbered in the order in which they are written, from 0. */
const describeKey = ({ key }: { readonly key?: number }): string => (key === undefined ? '' : ` with key ${key}`);
const describeHedge = {
  won: 'the target that was called later has answered first',
  lost: 'the target that was called later has not answered first',
  refused: 'called no other target yet: its budget is spent, or a limit is reached',
} as const;

const describeRequests = ({ requests }: { readonly requests?: number }): string =>
  requests === undefined ? '' : `, in ${requests} requests`;

const describeQueue = ({ queuedMs }: { readonly queuedMs?: number }): string =>
  queuedMs === undefined ? '' : `, after ${formatDuration(queuedMs)} in its queue`;

const describeSimilarity = ({ similarity }: { readonly similarity?: number }): string =>
  similarity === undefined ? '' : `, similarity ${similarity}`;

const describeEvent = (event: Extract<TrailEvent, { path: unknown }>, { nameBranch }: BranchNames): string => {
  switch (event.kind) {
    case 'chose':
      return `chose ${nameBranch(event.path, event.branch)}`;
    case 'skipped':
      return `skipped ${formatList(event.branches.map((branch) => nameBranch(event.path, branch)))}: open circuits`;
    case 'unable':
      return `skipped ${event.branches.map(({ branch, lacks }) => `${nameBranch(event.path, branch)}, which lacks ${formatList(lacks)}`).join('; ')}`;
    case 'attempted':
      return `attempt ${event.attempt} at ${event.target}${describeKey(event)}${describeRequests(event)}${describeQueue(event)}: ${event.status} (${describeOrigin[event.origin]})`;
    case 'settled':
      return `used ${event.usage.input.total} input tokens and ${event.usage.output.total} output tokens`;
    case 'retried':
      return `waited ${formatDuration(event.waitMs)} for retry ${event.retry}`;
    case 'fellBack':
      return `fell back from ${nameBranch(event.path, event.from)} to ${nameBranch(event.path, event.to)} on ${event.status}`;
    case 'hedged':
      return `also called ${nameBranch(event.path, event.to)} after ${formatDuration(event.afterMs)} without an answer from ${nameBranch(event.path, event.from)}`;
    case 'hedgeEnded':
      return describeHedge[event.result];
    case 'cached':
      return `answered from the cache (${event.status}${describeSimilarity(event)}), stored ${formatDuration(event.ageS * 1000)} before${event.stale ? ', because the attempts failed' : ''}`;
    case 'missed':
      return `found no stored question that is similar enough${describeSimilarity(event)}`;
    case 'checked':
      return `${event.phase} checks: ${event.result}${event.erred ? ', and one or more failed with an error' : ''}`;
    case 'circuitChanged':
      return `circuit${describeCircuit(event.of)}: ${event.from} → ${event.to}`;
    case 'mirrored':
      return `sent a copy to ${event.target}`;
    case 'streamFailed':
      return `the stream failed: ${event.cause}`;
    case 'continued':
      return `the stream continued from ${nameBranch(event.path, event.from)} to ${nameBranch(event.path, event.to)} after ${event.cause}`;
    case 'notContinued':
      return `the stream of ${nameBranch(event.path, event.branch)} did not continue: ${event.reason}`;
  }
};

/** Describes the end of a request, wherever it occurred. */
const describeEnd = (event: Exclude<TrailEvent, { path: unknown }>): string =>
  event.kind === 'clientLeft' ? 'the client disconnected' : `the deadline of ${formatDuration(event.ms)} passed`;

/** Describes a trail as text: one event per line, each with its place in the config. */
export const trailText = (trail: readonly TrailEvent[], names: BranchNames): string => {
  const lines = trail.map((event): readonly [string, string] =>
    'path' in event ? [names.readName(event.path), describeEvent(event, names)] : ['', describeEnd(event)],
  );
  const width = Math.max(0, ...lines.map(([where]) => where.length));
  return lines.map(([where, words]) => `${printable(`${where.padEnd(width)}  ${words}`)}\n`).join('');
};
