import type { Priority } from '../../../sdk/exchange/exchange.ts';
import { defaultPriority, priorityRank } from '../../../sdk/overload/priority-rank.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import type { StoredDefaults } from './key-principal.ts';

/** Lists the errors of a key's priority, which its maker can grant only up to its own. The previous priority stays allowed. */
export const priorityErrors = (
  { priority }: StoredDefaults,
  granted: Priority = defaultPriority,
  before?: StoredDefaults,
): readonly Problem[] => {
  const isBefore = before !== undefined && priorityRank(priority) <= priorityRank(before.priority);
  if (priorityRank(priority) <= priorityRank(granted) || isBefore) return [];
  return [
    problem(
      ['defaults', 'priority'],
      `You may grant the priority ${granted}, and not ${priority ?? defaultPriority}.`,
      `Write ${granted} or a lower one, or use a key of the organisation.`,
    ),
  ];
};
