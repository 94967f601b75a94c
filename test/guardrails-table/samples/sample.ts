import type { JsonObject } from '../../../schema/json/json.ts';
import type { PartnerStub } from '../../support/partners/partner-stub.ts';

/** What a check judges. */
export interface Situation {
  /** The prompt in the input phase, the answer in the output phase. */
  readonly text: string;
  readonly metadata?: JsonObject;
  readonly headers?: readonly string[];
  readonly model?: string;
  /** A tool that the request offers, and in the output phase the answer calls. Dialects without tools are left out. */
  readonly tool?: string;
  /** Further members of the request's body. */
  readonly params?: JsonObject;
}

/** A check, and what it passes and fails. */
export interface CheckSample {
  readonly id: string;
  /** As a config has them, without the members that every check takes, and without `not`. */
  readonly parameters: JsonObject;
  readonly passes: Situation;
  /** Absent for a check that passes whatever it sees. */
  readonly fails?: Situation;
  /** What it cannot judge; a check that asks a service has an error where that answers with status 500. */
  readonly throws?: Situation;
  /** For a check that always adds to what it judges: a hook that may deny denies what no check can change, such as embeddings. */
  readonly adds?: true;
  /** For a check that judges whether its service answers: no answer is then neither an error nor a time-out. */
  readonly judgesSilence?: true;
  /** The service that it asks: without an answer the check times out. */
  readonly service?: Pick<PartnerStub, 'origins' | 'answer'>;
}
