import type { DeclaredLabels } from '../../../schema/config/declared-labels.ts';
import { nothingSaved, type Saved } from '../../../schema/config/saved.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { gatewayFileKeys } from '../../../schema/generated/gateway-file-keys.ts';
import { validateGatewayFile } from '../../../schema/generated/validate-gateway-file.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import type { PlacedProblem } from '../../diagnostics/placed-problem.ts';
import { nowhere, onOneLine } from '../../diagnostics/reporter.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import { gatewayKeyHint } from '../../schema-errors/gateway-key-hint.ts';
import { otherFile } from '../../schema-errors/other-file.ts';
import { reportShape } from '../../schema-errors/report-shape.ts';
import { wholeHint } from '../../schema-errors/type-hint.ts';
import { describeFound } from '../../schema-errors/words.ts';

/** The contents of a gateway file. If `diagnostics` has an error, the rest is as for an empty file. */
export interface GatewayFileReading {
  readonly settings: GatewayFile;
  readonly saved: Saved;
  readonly diagnostics: readonly Diagnostic[];
  /** Adds the place in the text to a problem. */
  diagnose(problem: PlacedProblem): Diagnostic;
}

const toSaved = ({ providers, virtual_keys, guardrails, models, metadata }: GatewayFile): Saved => ({
  providers: providers ?? {},
  virtualKeys: virtual_keys ?? {},
  // Its other members are checks with parameters, which the generated type cannot name.
  guardrails: (guardrails ?? {}) as { readonly [slug: string]: JsonObject },
  ...(models === undefined ? {} : { models }),
  // The generated type cannot express that values are single.
  ...(metadata === undefined ? {} : { labels: metadata as DeclaredLabels }),
});

/** Reads `gateway.json`, with or without comments. Mistakes are diagnostics; it never throws. */
export const readGatewayFile = (text: string, file: string): GatewayFileReading => {
  const { document, reporter } = parseConfig(text, { file, isFile: true });
  const diagnose = ({
    code,
    message,
    hint,
    pointer,
    part = 'value',
    severity = 'error',
  }: PlacedProblem): Diagnostic => ({
    code,
    // Both may quote the contents of the file.
    message: onOneLine(message),
    hint: onOneLine(hint),
    severity,
    file,
    pointer,
    span: document?.readSpan(pointer, part) ?? nowhere,
  });
  const other = document === undefined ? undefined : otherFile(document.value, 'gateway file');
  if (other !== undefined) reporter.report('wrong-file', { pointer: rootPointer, part: 'value' }, other);
  else if (document !== undefined && !isJsonObject(document.value))
    reporter.report(
      'wrong-type',
      { pointer: rootPointer, part: 'value' },
      {
        what: 'The gateway file',
        expected: 'an object',
        found: describeFound(document.value),
        suggestion: Array.isArray(document.value)
          ? 'Write one object, such as { "configs": "configs" }.'
          : wholeHint(document.value),
      },
    );
  else if (document !== undefined)
    reportShape(validateGatewayFile(document.value), {
      value: document.value,
      base: rootPointer,
      reporter,
      keysAt: (schemaPath) => gatewayFileKeys[schemaPath] ?? [],
      keyHint: gatewayKeyHint,
      typeHints: {
        '/cache':
          'Remove it, or write { "url": "redis://localhost:6379" }: a routing config specifies whether answers are cached, with "cache": { "mode": "simple" }.',
      },
    });
  const diagnostics = reporter.diagnostics();
  if (document === undefined || reporter.failed || !isJsonObject(document.value))
    return { settings: {}, saved: nothingSaved, diagnostics, diagnose };
  // The validator has just checked this.
  const settings = document.value as GatewayFile;
  return { settings, saved: toSaved(settings), diagnostics, diagnose };
};
