import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { failed } from '../command-line/command-failure.ts';
import type { WholeDisplay } from './display.ts';
import { readRecord, type ShowOptions } from './show.ts';

const isListOfObjects = (value: Json | undefined): boolean => Array.isArray(value) && value.every(isJsonObject);

/** Records say what they are, or are wrapped as `{ success, data }`. */
const isRecord = (answer: Json): boolean =>
  isJsonObject(answer) && (typeof answer.object === 'string' || (answer.success === true && isJsonObject(answer.data)));

/** Whether an answer has each member that a sentence names, and no argument does. */
const isRepeated = (text: string, answer: Json, names: ShowOptions['names']): boolean => {
  const record = readRecord(answer);
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, member = '']) => Object.hasOwn({ ...names, ...record }, member));
};

const isDocumented = (how: WholeDisplay, answer: Json, names: ShowOptions['names']): boolean => {
  if (!isJsonObject(answer) || answer.error !== undefined) return false;
  switch (how.as) {
    case 'table':
      return isListOfObjects(answer[how.rows ?? 'data']) && (how.rows !== undefined || answer.object === 'list');
    case 'sums':
      return isListOfObjects(answer.data) && answer.object === 'list' && isJsonObject(answer.summary);
    case 'record':
    case 'json':
      return isRecord(answer);
    case 'said':
      // A dry run has findings in place of what was saved.
      return Array.isArray(answer.diagnostics) || isRepeated(how.text, answer, names);
    case 'member':
      return typeof readRecord(answer)[how.member] === 'string' && isRepeated(how.note, answer, names);
  }
};

/** Throws a `CommandFailure` for an answer that is none which the control plane documents: nothing is shown of it. */
export const requireShape = (how: WholeDisplay, answer: Json, names: ShowOptions['names']): void => {
  if (isDocumented(how, answer, names)) return;
  throw failed(
    'The gateway answered with something that its control plane never answers, and whether it did what was asked is not known.',
    'Correct --url or GW_URL, if that is no gateway, and use a gw of the same version.',
  );
};
