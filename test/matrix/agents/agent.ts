import type { Inability } from '../clients/client-driver.ts';
import type { Call, Counts } from '../scenario.ts';

/** The set-up of an agent's run: its folder and its gateway. */
export interface AgentRun {
  /** The gateway's origin. */
  readonly origin: string;
  /** The gateway's headers, with a config that can be passed to the agent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly prompt: string;
}

export interface AgentCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The files in its working folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The output of an agent. */
export interface AgentSaid {
  readonly text: string;
  /** The total for all requests of the run. */
  readonly usage?: Pick<Counts, 'input' | 'output'>;
}

/** A coding agent without a terminal. */
export interface Agent {
  readonly library: string;
  /** The dialect of its requests. */
  readonly dialect: string;
  /** The npm package, with its version. */
  readonly npm: string;
  /** Its program in `node_modules/.bin`. */
  readonly program: string;
  /** Returns a call of the agent's own tool that shows the contents of a file. */
  reads(file: string): Call;
  command(run: AgentRun): AgentCommand;
  /** Parses its output. */
  said(printed: string): AgentSaid;
  readonly cannot?: readonly Inability[];
}

/** Parses the lines of a text that are JSON objects. */
export const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
