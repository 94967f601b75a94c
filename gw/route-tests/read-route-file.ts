import path from 'node:path';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { displayPath } from '../../compiler/cli/files/config-files.ts';
import { readText } from '../../compiler/cli/files/read-text.ts';
import type { Part } from '../../compiler/diagnostics/reporter.ts';
import { parseConfig } from '../../compiler/parse/parse-config.ts';
import { reportShape } from '../../compiler/schema-errors/report-shape.ts';
import { describeFound } from '../../compiler/schema-errors/words.ts';
import type { Span } from '../../schema/errors/diagnostic.ts';
import type { RouteTestFile } from '../../schema/generated/route-test-file.ts';
import { routeTestFileKeys } from '../../schema/generated/route-test-file-keys.ts';
import { validateRouteTestFile } from '../../schema/generated/validate-route-test-file.ts';
import { isJsonObject } from '../../schema/json/json.ts';
import { type JsonPointer, rootPointer } from '../../schema/json/pointer.ts';
import type { BrokenFile } from './results.ts';

/** The contents of a route test file. */
export interface RouteFile {
  /** The name of the file in messages. */
  readonly file: string;
  readonly text: string;
  /** The name of the tested config in messages. */
  readonly config: string;
  readonly tests: RouteTestFile['tests'];
  /** Returns the place of a key or value in it. */
  readSpan(pointer: JsonPointer, part: Part): Span;
}

const wholeFile = 'Write one object, such as { "tests": [{ "name": "…", "expect": { "status": 200 } }] }.';

const ending = /\.route\.(?:json|ya?ml)$/;

/** Returns the config with the same name beside a test file. */
const neighbour = async (file: string, io: CommandIo): Promise<string> => {
  const stem = file.replace(ending, '');
  const commented = `${stem}.jsonc`;
  return (await io.readKind(commented)) === 'file' ? commented : `${stem}.json`;
};

/** Reads a route test file. Throws a `UsageError` if it cannot be read at all. */
export const readRouteFile = async (io: CommandIo, file: string): Promise<RouteFile | BrokenFile> => {
  const text = await readText(io, file);
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  if (document === undefined || reporter.failed) return { file, text, diagnostics: reporter.diagnostics() };
  const { value } = document;
  if (!isJsonObject(value))
    reporter.report(
      'wrong-type',
      { pointer: rootPointer, part: 'value' },
      { what: 'The file of route tests', expected: 'an object', found: describeFound(value), suggestion: wholeFile },
    );
  else
    reportShape(validateRouteTestFile(value), {
      ...{ value, base: rootPointer, reporter },
      keysAt: (schemaPath) => routeTestFileKeys[schemaPath] ?? [],
    });
  if (reporter.failed) return { file, text, diagnostics: reporter.diagnostics() };
  // The validator has just checked this.
  const { config, tests } = value as unknown as RouteTestFile;
  const tested = config === undefined ? await neighbour(file, io) : path.join(path.dirname(file), config);
  return {
    ...{ file, text, tests },
    config: displayPath(tested, io.cwd),
    readSpan: (pointer, part) => document.readSpan(pointer, part),
  };
};
