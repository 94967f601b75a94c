import Mustache from 'mustache';

/**
 * What mustache's parser reads: the kind, the text or name, and the offsets at which it begins and ends. A section also has
 * its tokens and the offset of its closing tag; other members are of no interest here.
 */
export type Token = readonly [
  kind: string,
  value: string,
  start: number,
  end: number,
  nodes?: unknown,
  close?: unknown,
];

/** A writer of our own, without mustache's cache, which would keep every text for ever. */
const writer = Object.assign(new Mustache.Writer(), { templateCache: undefined });

/** The tokens of a text whose tags are known to be sound. */
export const mustacheTokens = (text: string): readonly Token[] => writer.parse(text) as readonly Token[];
