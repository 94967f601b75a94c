import type { NewCall } from './calls.ts';
import type { VersionFacts } from './isolated-checks.ts';
import type { DescribedParameters, PlainRequest, Question } from './protocol/protocol.ts';

/** A question from a worker to the process that owns it, about the isolated plugin at a position of the gateway file. */
export type OwnedQuestion =
  | { readonly of: 'version'; readonly plugin: string }
  | { readonly of: 'parameters'; readonly plugin: string; readonly question: Question }
  | ({ readonly of: 'run'; readonly plugin: string } & OwnedRun)
  | { readonly of: 'cancel'; readonly call: number };

/** A call of a check. */
export interface OwnedRun extends Pick<NewCall, 'check' | 'tenant' | 'withinMs' | 'members'> {
  /** The worker's number of the call. */
  readonly call: number;
  /** The number of the version that the plan was linked with. */
  readonly version: number;
}

/** The version in service. */
export interface OwnedVersion extends VersionFacts {
  /** The number of the version. */
  readonly version: number;
}

export type OwnedParameters = DescribedParameters | undefined;

/**
 * The outcome of a call. The verdict is JSON text, because a value written by a process may nest too deeply to be sent between
 * processes.
 */
export type OwnedOutcome =
  | { readonly verdict: string; readonly isOfTarget: boolean }
  | { readonly failed: { readonly name: string; readonly message: string } };

/** A request that the check of a worker's call asks the gateway to send. */
export interface OwnedRequest {
  readonly call: number;
  readonly request: PlainRequest;
}

/** A worker's connection to the isolated plugins of its owner. */
export interface IsolationLink {
  /** Asks the owner. Rejects if there is no answer within `ms` milliseconds, or if the owner has ended. */
  ask(question: OwnedQuestion, ms: number): Promise<unknown>;
  /** Sets the function that answers the owner's requests. */
  onRequest(answer: (request: unknown) => Promise<unknown>): void;
}
