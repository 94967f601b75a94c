import type { JsonObject } from '../../../schema/json/json.ts';
import type { PartnerStub } from '../../support/partners/partner-stub.ts';

/** The input of a check. */
export interface Situation {
  /** The prompt in the input phase, the answer in the output phase. */
  readonly text: string;
  readonly metadata?: JsonObject;
  readonly headers?: readonly string[];
  readonly model?: string;
  /** A tool that the request offers and, in the output phase, the answer calls. Dialects without tools are skipped. */
  readonly tool?: string;
  /** Further members of the request's body. */
  readonly params?: JsonObject;
}

/** A check, with examples that it passes and fails. */
export interface CheckSample {
  readonly id: string;
  /** The parameters as in a config, without `not` and the members that every check takes. */
  readonly parameters: JsonObject;
  readonly passes: Situation;
  /** Absent if the check passes everything. */
  readonly fails?: Situation;
  /**
   * An input that makes the check fail with an error. For a check that queries a service, an answer with status 500 causes an
   * error too.
   */
  readonly throws?: Situation;
  /**
   * Set if the check always adds something to what it judges. A denying hook then denies whatever checks cannot change, such as
   * embeddings.
   */
  readonly adds?: true;
  /** Set if the check judges whether its service answers. A missing answer is then neither an error nor a time-out. */
  readonly judgesSilence?: true;
  /** The service that the check queries. If it does not answer, the check times out. */
  readonly service?: Pick<PartnerStub, 'origins' | 'answer'>;
}
