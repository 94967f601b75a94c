import type { Socket } from 'node:net';

/** A process that runs Node, and the callbacks for its events. */
export interface SpawnRequest {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called once, if the process can be started. */
  readonly started: (process: SpawnedProcess) => void;
  /** Called once, with the reason: `it ended with exit code 1`. */
  readonly ended: (why: string) => void;
}

export interface SpawnedProcess {
  readonly pid: number;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** Descriptor 3, used in both directions. */
  readonly wire: Socket;
}

/** Starts a process. Returns a function that kills it. */
export type Spawner = (request: SpawnRequest) => () => void;

/** Returns why a process has ended, from what Node reports. */
export const exitText = (code: number | null, signal: string | null): string =>
  signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
