import type { Ports } from '../harness/configs.ts';

/** The options of `npm run bench:console`. */
export interface ConsoleOptions {
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  readonly records: number;
  readonly store: 'sqlite' | 'postgres';
  readonly ports: Ports;
  /** The built gateway's `gw.js`. */
  readonly gateway: string;
}

export const print = (text: string): void => void process.stdout.write(text);
