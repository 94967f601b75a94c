import type { StatusRule } from '../../../schema/http/status.ts';
import { listWords } from './words.ts';

/** The answers that a rule speaks of. */
export const statusWords = (rule: StatusRule): string => {
  switch (rule.kind) {
    case 'codes':
      return rule.codes.length === 0 ? 'nothing' : listWords(rule.codes.map(String), 'or');
    case 'not-2xx':
      return 'anything but 2xx';
    case 'breaker-default':
      return 'a status above 500 or a time-out';
  }
};
