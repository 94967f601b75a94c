import type { MemberSelection } from '../../../sdk/dialect/member-selection.ts';

/** Of chat completions, and of text completions: where they have what is metered. */
export const metered: MemberSelection = {
  ...{ model: true, usage: true, service_tier: true },
  choices: [{ finish_reason: true }],
};
