import { totalmem } from 'node:os';
import { defaultLimits } from '../../../../runtime/server/limits.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { countWorkers } from './workers.ts';

const megabyte = 1024 * 1024;
/** The memory of a process under load, without the bodies that it holds. */
const baseBytes = 256 * megabyte;

const inMb = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

interface MemoryFacts {
  readonly available: number;
  /** Whether it is a limit, rather than all memory of the machine. */
  readonly isLimit: boolean;
  /** The bytes of bodies that one process may hold. */
  readonly bodiesBytes: number;
  /** The number of processes that serve. */
  readonly workers: number;
}

/** Checks whether the memory suffices for the bodies that the processes of a gateway may hold. */
export const memoryFindings = ({ available, isLimit, bodiesBytes, workers }: MemoryFacts): readonly Finding[] => {
  const needed = workers * (baseBytes + bodiesBytes);
  if (available >= needed) return [];
  const bodies =
    workers === 1
      ? `bodies may take ${inMb(bodiesBytes)} (limits.bodies_bytes)`
      : `in ${workers} workers, bodies may take ${inMb(workers * bodiesBytes)} (limits.bodies_bytes applies to each)`;
  return [
    {
      severity: 'warning',
      subject: 'memory',
      what: `${isLimit ? 'The memory of this process is limited to' : 'This machine has'} ${inMb(available)}, and ${bodies}: under load the process may be ended.`,
      remedy: `Give it ${inMb(needed)} or more, or lower "limits.bodies_bytes"${workers === 1 ? '' : ' or "workers"'} in the gateway file.`,
    },
  ];
};

export const memory: Check = {
  id: 'memory',
  description: 'the memory limit of the container or of the machine, and the bodies that each worker may hold in it',
  run(setUp) {
    const total = totalmem();
    // Without a limit this is 0, or a number beyond any machine.
    const limit = process.constrainedMemory();
    const isLimit = limit > 0 && limit < total;
    const bodiesBytes = setUp.settings.limits?.bodies_bytes ?? defaultLimits.bodiesBytes;
    const available = isLimit ? limit : total;
    return memoryFindings({ available, isLimit, bodiesBytes, workers: countWorkers(setUp) });
  },
};
