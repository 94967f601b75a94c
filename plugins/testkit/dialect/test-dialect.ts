import { errorText } from '../../../schema/text/error-text.ts';
import type { Dialect, Frame, FrameClass } from '../../sdk/dialect/dialect.ts';
import { refuseErrors } from '../errors/reasons.ts';
import { codecErrors } from './codec-errors.ts';
import { errorFormErrors } from './error-form-errors.ts';
import { placeErrors } from './place-errors.ts';
import { routeErrors } from './route-errors.ts';
import { textErrors } from './text-errors.ts';
import { usageErrors } from './usage-errors.ts';

/** A sample for a dialect, in addition to the kit's own. */
export interface DialectSample {
  /** Frames as providers send them, with their classes. */
  readonly frames?: readonly (readonly [frame: Frame, is: FrameClass])[];
}

const classes: ReadonlySet<unknown> = new Set<FrameClass>(['preamble', 'content', 'usage', 'error', 'end']);

/** Inputs that a provider may send, and on which `classify` must not fail. */
const oddities: readonly string[] = ['', ' ', '{', 'null', '[]', '"', '{"a":1}', 'plain text', '{"error":null}'];

const classifyErrors = (dialect: Dialect, { frames = [] }: DialectSample): readonly string[] => [
  ...oddities.flatMap((data) => {
    try {
      const is = dialect.classify({ data });
      return classes.has(is) ? [] : [`classify returns "${String(is)}" for ${JSON.stringify(data)}`];
    } catch (error) {
      return [`classify throws on ${JSON.stringify(data)}: ${errorText(error)}`];
    }
  }),
  ...frames.flatMap(([frame, is]) => {
    const said = dialect.classify(frame);
    return said === is ? [] : [`classify returns "${said}" for ${JSON.stringify(frame)}, which is "${is}"`];
  }),
];

/**
 * Tests the laws of all dialects: routes can be served, errors survive encoding and decoding, `classify` never fails, and
 * parameters of configs are placed where requests are decoded. A dialect with conversations must decode what it encodes, whole
 * and streamed, except for its declared losses; its texts and counts must match what it decodes; and bound values are sent only
 * to their makers. Throws a `ContractError` that lists every error.
 */
export const testDialect = (dialect: Dialect, sample: DialectSample = {}): void => {
  refuseErrors(`The dialect "${dialect.id}"`, [
    ...(/^[a-z][a-z0-9-]*$/.test(dialect.id) ? [] : [`"${dialect.id}" is not a valid dialect name`]),
    ...classifyErrors(dialect, sample),
    ...errorFormErrors(dialect),
    ...routeErrors(dialect),
    ...placeErrors(dialect),
    ...textErrors(dialect),
    ...usageErrors(dialect),
    ...(dialect.conversation === undefined ? [] : codecErrors(dialect, dialect.conversation)),
  ]);
};
