import { compileSchema } from '../../plugins/sdk/parameters/compile-schema.ts';
import { formatPlaces } from '../../plugins/sdk/parameters/format-places.ts';
import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { entryMembers } from '../../plugins/sdk/sink/entry-members.ts';
import { type LogSink, wholeSink } from '../../plugins/sdk/sink/sink.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { childPointer, type JsonPointer, joinPointers, rootPointer } from '../../schema/json/pointer.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { suggestion } from '../diagnostics/closest.ts';
import { createReporter, nowhere } from '../diagnostics/reporter.ts';
import { isReference } from '../schema-errors/is-reference.ts';
import { referenceHint } from '../schema-errors/reference-problem.ts';
import { reportShape } from '../schema-errors/report-shape.ts';
import type { SavedProblem } from './check-saved.ts';

/** An entry of `log.sinks`; its other members are the options of its sink. */
export interface GivenSink extends JsonObject {
  readonly sink: string;
}

/** The options of an entry. */
export const sinkOptions = (entry: GivenSink): JsonObject =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !entryMembers.includes(name)));

const shapeProblems = ({ options: schema }: LogSink, value: JsonObject, base: JsonPointer): readonly SavedProblem[] => {
  const reporter = createReporter({ readSpan: () => nowhere });
  const { validate, keysAt } = compileSchema({ type: 'object', ...schema, properties: schema.properties ?? {} });
  reportShape(validate(value).errors, { value, base, reporter, keysAt });
  return reporter.diagnostics().map(({ code, pointer, message, hint = '' }) => ({
    ...{ code, pointer, message, hint },
    ...(code === 'unknown-key' ? { part: 'key' } : {}),
  }));
};

/** Reports secrets that are written out. */
const secretProblems = ({ options }: LogSink, value: JsonObject, base: JsonPointer): readonly SavedProblem[] =>
  formatPlaces(options, value, 'secret')
    .filter(({ text }) => !isReference(text))
    .map(({ at, text }) => ({
      code: 'literal-secret',
      pointer: joinPointers(base, at),
      message: 'A secret of a sink is written in the file instead of being a reference.',
      hint: referenceHint(text),
    }));

const faultProblems = (sink: LogSink, value: JsonObject, pointer: JsonPointer): readonly SavedProblem[] => {
  const faults = (): readonly string[] => {
    try {
      return sink.faults?.(value) ?? [];
    } catch (error) {
      return [errorText(error)];
    }
  };
  const hint = 'Correct the options of the sink.';
  return faults().map((message) => ({ code: 'wrong-sink-options', pointer, message, hint }));
};

const entryProblems = async (
  entry: GivenSink,
  pointer: JsonPointer,
  { sinks }: Pick<Catalogue, 'sinks'>,
): Promise<readonly SavedProblem[]> => {
  const found = sinks.get(entry.sink);
  if (found === undefined)
    return [
      {
        code: 'unknown-sink',
        pointer: childPointer(pointer, 'sink'),
        message: `There is no sink "${entry.sink}".`,
        hint: suggestion(entry.sink, [...sinks.keys()].sort(), 'Loaded plugins provide'),
      },
    ];
  const sink = await wholeSink(found);
  const value = sinkOptions(entry);
  const ofShape = shapeProblems(sink, value, pointer);
  if (ofShape.length > 0) return ofShape;
  const ofSecrets = secretProblems(sink, value, pointer);
  return ofSecrets.length > 0 ? ofSecrets : faultProblems(sink, value, pointer);
};

/** Checks the sinks of a gateway file's log beyond their shape. */
export const checkSinks = async (
  entries: readonly GivenSink[],
  catalogue: Pick<Catalogue, 'sinks'>,
): Promise<readonly SavedProblem[]> => {
  const list = childPointer(rootPointer, 'log', 'sinks');
  const names = entries.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const found = await Promise.all(
    entries.map((entry, index) => entryProblems(entry, childPointer(list, index), catalogue)),
  );
  const same = entries.flatMap(({ name }, index): readonly SavedProblem[] =>
    typeof name === 'string' && names.indexOf(name) !== names.lastIndexOf(name)
      ? [
          {
            code: 'duplicate-name',
            pointer: childPointer(list, index, 'name'),
            message: `Two sinks are called "${name}".`,
            hint: 'Give each its own name.',
          },
        ]
      : [],
  );
  return [...found.flat(), ...same];
};
