import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { hashText } from '../../../schema/json/canonical.ts';
import type { CompiledFile } from './compiled-file.ts';
import { endOf } from './end-of.ts';

/** Returns a file as a URI: relative to the working folder if it is below it. */
const toUri = (file: string): string =>
  path.isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');

const toResult = (
  { code, severity, message, hint, pointer, span }: Diagnostic,
  { file, text }: CompiledFile,
  rules: readonly string[],
) => {
  const end = endOf(span, text);
  return {
    ruleId: code,
    ruleIndex: rules.indexOf(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: span.line, startColumn: span.column, endLine: end.line, endColumn: end.column },
        },
        ...(pointer === '' ? {} : { logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }] }),
      },
    ],
    // Contains no line, so that a finding keeps its fingerprint when something is written above it.
    partialFingerprints: { 'codeAndMember/v1': hashText(`${code}\n${file}\n${pointer}\n${message}`) },
  };
};

/**
 * Formats findings as a SARIF 2.1.0 log, which code review services read. See
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
 */
export const formatSarif = (files: readonly CompiledFile[], version: string): string => {
  const found = files.flatMap(({ diagnostics }) => diagnostics);
  const rules = [...new Set(found.map(({ code }) => code))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gatewright', semanticVersion: version, rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: files.flatMap((file) => file.diagnostics.map((each) => toResult(each, file, rules))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
};
