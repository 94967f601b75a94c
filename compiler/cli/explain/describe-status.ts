import type { StatusRule } from '../../../schema/http/status.ts';
import { formatList } from '../../../schema/text/format-list.ts';

/** Describes the answers that a rule applies to. */
export const describeStatus = (rule: StatusRule): string => {
  switch (rule.kind) {
    case 'codes':
      return rule.codes.length === 0 ? 'nothing' : formatList(rule.codes.map(String), 'or');
    case 'not-2xx':
      return 'anything but 2xx';
    case 'breaker-default':
      return 'a status above 500 or a time-out';
  }
};
