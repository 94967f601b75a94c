import type { Json } from '../../../schema/json.ts';
import { itemsOf, objectOf } from '../../../schema/loose.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import { inside, type SpanPlace, span } from './text-spans.ts';

/** The words by which an answer quotes its sources: each has some of the `members`, in an object `within` it if given. */
export interface QuotedMembers {
  readonly within?: readonly string[];
  readonly members: readonly string[];
}

const none: readonly TextSpan[] = [];

/** What a list of sources, or of what cites them, quotes of each. They are no words of the answer itself. */
export const sourceSpans = (
  sources: Json | undefined,
  place: SpanPlace,
  { within, members }: QuotedMembers,
): readonly TextSpan[] =>
  itemsOf(sources)?.flatMap((source, index) => {
    const at: SpanPlace = inside({ ...place, kind: 'citation' }, index);
    const own = objectOf(source);
    if (own === undefined) return none;
    const spansIn = (value: Json | undefined, here: SpanPlace): readonly TextSpan[] =>
      members.flatMap((member) => span(objectOf(value)?.[member], here, member));
    return within === undefined ? spansIn(own, at) : within.flatMap((name) => spansIn(own[name], inside(at, name)));
  }) ?? none;
