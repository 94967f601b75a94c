import { stripVTControlCharacters } from 'node:util';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const tidy = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[ \t\r]+$/gm, '')
    .trim();

/** Whether an output matches that of an example, in which `…` stands for any text, including several lines. */
export const matchesOutput = (expected: string, output: string): boolean =>
  new RegExp(`^${tidy(expected).split('…').map(escaped).join('[\\s\\S]*?')}$`).test(tidy(output));
