import type { Inability } from '../clients/client-driver.ts';
import type { Call, Counts } from '../scenario.ts';

/** Where an agent runs, and whom it asks. */
export interface AgentRun {
  /** The gateway's origin. */
  readonly origin: string;
  /** The gateway's headers, as a config that the agent can be given. */
  readonly headers: Readonly<Record<string, string>>;
  readonly prompt: string;
}

export interface AgentCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What is in the folder that it works in, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What an agent printed. */
export interface AgentSaid {
  readonly text: string;
  /** All requests of the run together. */
  readonly usage?: Pick<Counts, 'input' | 'output'>;
}

/** A coding agent without a terminal. */
export interface Agent {
  readonly library: string;
  /** The dialect that it asks in. */
  readonly dialect: string;
  /** The npm package, with its version. */
  readonly npm: string;
  /** In `node_modules/.bin`. */
  readonly program: string;
  /** A call of the agent's own tool that shows what a file says. */
  reads(file: string): Call;
  command(run: AgentRun): AgentCommand;
  /** Reads what it printed. */
  said(printed: string): AgentSaid;
  readonly cannot?: readonly Inability[];
}

/** The objects among the lines of a text. */
export const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
