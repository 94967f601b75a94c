import type { MemberSelection } from '../../../sdk/dialect/member-selection.ts';

/** Where chat completions and text completions have the members that are metered. */
export const metered: MemberSelection = {
  ...{ model: true, usage: true, service_tier: true },
  choices: [{ finish_reason: true }],
};
