import { findDelimiters } from './delimiters.ts';
import { decodedTexts } from './encoded.ts';
import { findInvisible, tagText } from './invisible.ts';
import { findPhrases } from './phrases.ts';
import { plainText } from './plain-text.ts';
import { distinct, type Signal, type SignalFinder } from './signal.ts';

const findVisible: SignalFinder = (text) => {
  const plain = plainText(text);
  return [...findPhrases(plain), ...findDelimiters(plain)];
};

/** A hidden instruction is more suspicious than a visible one. */
const hidden: Signal = { name: 'hidden-text', weight: 0.5 };

/** Finds all signals in a text, and in what it contains in Base64 and in tag characters. */
export const findSignals: SignalFinder = (text) => {
  const inside = [...decodedTexts(text), tagText(text)].flatMap(findVisible);
  return distinct([...findVisible(text), ...findInvisible(text), ...inside, ...(inside.length > 0 ? [hidden] : [])]);
};
