import type { JsonObject } from '../../../../schema/json/json.ts';

/** A check of a saved guardrail, with references in place of its secrets. */
export interface ReferringCheck {
  readonly id: string;
  readonly parameters?: JsonObject;
}

/** A saved guardrail as configs are compiled with it: results show it by its slug, and its checks keep their order. */
export const guardrailValue = (
  slug: string,
  { checks, actions }: { readonly checks: readonly ReferringCheck[]; readonly actions: JsonObject },
): JsonObject => ({
  id: slug,
  ...actions,
  ...Object.fromEntries(
    checks.map(({ id, parameters }, index) => [`check-${String(index).padStart(3, '0')}`, { ...parameters, id }]),
  ),
});
