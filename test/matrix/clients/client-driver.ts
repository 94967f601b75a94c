import type { Scenario, Told } from '../scenario.ts';

export interface AskOptions {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly origin: string;
  /** The gateway's headers: `x-gw-config` and others. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
}

/** Asks through the official library of a dialect, as an application would. */
export interface ClientDriver {
  /** The dialect's id. */
  readonly dialect: string;
  ask(scenario: Scenario, options: AskOptions): Promise<Told>;
}
