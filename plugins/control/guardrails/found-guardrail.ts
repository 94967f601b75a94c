import { toPointer } from '../../../schema/pointer.ts';
import type { Acting } from '../saved/acting.ts';
import { forbidden } from '../saved/forbidden.ts';
import type { Reading } from '../saved/records.ts';
import { notFound } from '../saved/refusals.ts';
import type { GuardrailRow } from '../store/tables.ts';
import type { GuardrailCaller } from './guardrail-parts.ts';
import { findGuardrail } from './guardrail-store.ts';

/** Throws the `GatewayError` `forbidden` for a guardrail of the organisation and a caller that does not reach all of it. */
export const refuseForeign = ({ reach }: GuardrailCaller, isOrganisations: boolean): void => {
  if (!isOrganisations || reach === 'organisation') return;
  throw forbidden([
    {
      pointer: toPointer(['scope']),
      message: 'This key belongs to one workspace, and guardrails of an organisation hold in all of them.',
      hint: 'Use a key of the organisation.',
    },
  ]);
};

/** The guardrail of an id or slug that the caller can name. Throws the `GatewayError` `not-found`. */
export const foundGuardrail = async (db: Reading, acting: Acting, name: string): Promise<GuardrailRow> => {
  const row = await findGuardrail(db, acting, name);
  if (row === undefined) throw notFound('guardrail', name, 'GET /v1/guardrails');
  return row;
};

/** The same, where the caller may change it. Throws the `GatewayError`s `not-found` and `forbidden`. */
export const changeableGuardrail = async (
  db: Reading,
  caller: GuardrailCaller,
  name: string,
): Promise<GuardrailRow> => {
  const row = await foundGuardrail(db, caller, name);
  refuseForeign(caller, row.workspace_id === null);
  return row;
};
