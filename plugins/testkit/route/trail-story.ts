import { toOptionPath } from '../../../schema/json/pointer.ts';
import { describeCircuit } from '../../../schema/trail/circuit-name.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

const describeRequests = ({ requests }: { readonly requests?: number }): string =>
  requests === undefined ? '' : ` in ${requests} requests`;

const describe = (event: TrailEvent): string => {
  const place = 'path' in event ? toOptionPath(event.path) : 'config';
  switch (event.kind) {
    case 'chose':
      return `${place} chose branch ${event.branch}`;
    case 'skipped':
      return `${place} skipped branches ${event.branches.join(', ')}, whose circuits are open`;
    case 'unable':
      return `${place} skipped ${event.branches.map(({ branch, lacks }) => `branch ${branch}, which lacks ${lacks.join(', ')}`).join('; ')}`;
    case 'attempted':
      return `${place} called ${event.target}${event.key === undefined ? '' : ` with key ${event.key}`}, attempt ${event.attempt}${describeRequests(event)}: ${event.status} (${event.origin})`;
    case 'settled':
      return `${place} used ${event.usage.input.total} input and ${event.usage.output.total} output tokens (${event.usage.kind})`;
    case 'retried':
      return `${place} waited ${event.waitMs} ms for retry ${event.retry}`;
    case 'fellBack':
      return `${place} fell back from branch ${event.from} to ${event.to} on ${event.status}`;
    case 'hedged':
      return `${place} also called branch ${event.to} after ${event.afterMs} ms without an answer from branch ${event.from}`;
    case 'hedgeEnded':
      return `${place} hedge ${event.result}`;
    case 'cached':
      return `${place} answered from the cache (${event.status})${event.stale ? ', because its attempts failed' : ''}`;
    case 'missed':
      return `${place} had no stored question that is similar enough (similarity ${event.similarity})`;
    case 'checked':
      return `${place} ${event.phase} checks ${event.result}${event.erred ? ', with an error in a check' : ''}`;
    case 'circuitChanged':
      return `${place} circuit${describeCircuit(event.of)} went from ${event.from} to ${event.to}`;
    case 'mirrored':
      return `${place} sent a copy to ${event.target}`;
    case 'streamFailed':
      return `a stream failed: ${event.cause}`;
    case 'continued':
      return `${place} stream continued from branch ${event.from} to ${event.to} after ${event.cause}`;
    case 'notContinued':
      return `${place} stream of branch ${event.branch} was not continued: ${event.reason}`;
    case 'deadlinePassed':
      return `the deadline of ${event.ms} ms passed`;
    case 'clientLeft':
      return 'the client disconnected';
  }
};

/** Formats a trail as readable lines. */
export const trailStory = (trail: readonly TrailEvent[]): string =>
  trail.map((event) => `  ${describe(event)}`).join('\n');
