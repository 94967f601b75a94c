import type { NewCall } from './calls.ts';
import type { VersionFacts } from './isolated-checks.ts';
import type { DescribedParameters, PlainRequest, Question } from './protocol/protocol.ts';

/** A question of a worker to the process that owns it, about an isolated plugin at a position of the gateway file. */
export type OwnedQuestion =
  | { readonly of: 'version'; readonly plugin: string }
  | { readonly of: 'parameters'; readonly plugin: string; readonly question: Question }
  | ({ readonly of: 'run'; readonly plugin: string } & OwnedRun)
  | { readonly of: 'cancel'; readonly call: number };

/** A call of a check. */
export interface OwnedRun extends Pick<NewCall, 'check' | 'tenant' | 'withinMs' | 'members'> {
  /** The number that the worker gives it. */
  readonly call: number;
  /** The number of the version that its plan was linked with. */
  readonly version: number;
}

/** The version in service. */
export interface OwnedVersion extends VersionFacts {
  /** Names it. */
  readonly version: number;
}

export type OwnedParameters = DescribedParameters | undefined;

/** The end of a call. The verdict is a JSON text: what a process writes may nest too deep for processes to send it to each other. */
export type OwnedOutcome =
  | { readonly verdict: string; readonly looksAtTarget: boolean }
  | { readonly failed: { readonly name: string; readonly message: string } };

/** A request that a check of a worker's call asks the gateway to send. */
export interface OwnedRequest {
  readonly call: number;
  readonly request: PlainRequest;
}

/** The way of a worker to the isolated plugins of its owner. */
export interface IsolationLink {
  /** Rejects where there is no answer within so many milliseconds, or the owner has ended. */
  ask(question: OwnedQuestion, ms: number): Promise<unknown>;
  /** Answers the owner's requests from now on. */
  onRequest(answer: (request: unknown) => Promise<unknown>): void;
}
