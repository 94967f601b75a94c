import type { JsonObject } from '../../../schema/json.ts';
import type { Acting } from '../saved/acting.ts';
import type { GuardrailCheck } from './judge-guardrail.ts';

export interface GuardrailCaller extends Acting {
  readonly reach?: 'workspace' | 'organisation' | undefined;
}

export interface NewGuardrail {
  readonly name: string;
  readonly checks: readonly GuardrailCheck[];
  readonly actions: JsonObject;
  readonly slug?: string | undefined;
  /** Whose it is: one of the organisation can be named in all of its workspaces. */
  readonly scope: 'workspace' | 'organisation';
}

/** What changes of a guardrail: what is absent stays. */
export type GuardrailChange = Partial<Pick<NewGuardrail, 'name' | 'checks' | 'actions'>>;
