import { slugModel } from '../../schema/text/slug-model.ts';
import type { PathModel } from './route-pattern.ts';

// Those of ASCII and of Latin-1: such a character does not belong in a name, and splits lines where it is printed.
const controls = /\p{Cc}/u;

const malformedEncoding = /%(?![\da-f]{2})/i;

/**
 * Returns why the model that a path names cannot be used. `pathname` is the path as received: decoding some of its characters
 * must not have made others look encoded.
 */
export const pathError = ({ model }: PathModel, pathname: string): string | undefined => {
  if (model === undefined || !model.isWellFormed() || malformedEncoding.test(pathname))
    return 'it is not percent-encoded UTF-8.';
  const name = slugModel(model)?.model ?? model;
  if (name === '' || name === '.' || name === '..') return 'it names no model.';
  return controls.test(model) ? 'the model contains a control character.' : undefined;
};
