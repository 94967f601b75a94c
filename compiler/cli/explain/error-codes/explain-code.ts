import { upstreamHint } from '../../../../plugins/sdk/logs/request-problem.ts';
import { controlErrorCode, type ErrorCode, errorTable, forPeer } from '../../../../schema/errors/errors.ts';
import { causeExplanations } from '../../../../schema/errors/explanations/cause-explanations.ts';
import type { ErrorExplanation } from '../../../../schema/errors/explanations/error-explanation.ts';
import { errorExplanations } from '../../../../schema/errors/explanations/explanations.ts';
import { findingExplanations } from '../../../../schema/errors/explanations/finding-explanations.ts';
import { statusOfCause, upstreamCause } from '../../../../schema/http/status.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { closest } from '../../../diagnostics/closest.ts';
import { codeExamples } from '../../../diagnostics/examples/code-examples.ts';
import { diagnosticTable } from '../../../diagnostics/table.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { fixedHint, withoutPlaceholders } from './open-text.ts';

const maxLines = 16;
const longestLine = 140;

const shownConfig = (config: readonly string[]): readonly string[] => {
  const shown = config.length > maxLines ? [...config.slice(0, maxLines - 2), '…', config.at(-1) ?? ''] : config;
  return shown.map((line) => `  ${line.length > longestLine ? `${line.slice(0, longestLine)}…` : line}`);
};

const diagnosticLines = (code: string): readonly string[] => {
  const row = lookUp(diagnosticTable, code);
  const example = lookUp(codeExamples, code);
  if (row === undefined || example === undefined) return [];
  const { cause, remedy, wrong, right } = example;
  return [
    `${row.severity}[${code}]: ${withoutPlaceholders(row.text)}`,
    ...['', `cause   ${cause}`, `remedy  ${remedy}`],
    ...fixedHint(row.hint).map((hint) => `hint    ${hint}`),
    ...['', 'wrong', ...shownConfig(wrong), '', 'right', ...shownConfig(right)],
  ];
};

/** Describes a finding about a file that no check of a config reports. */
const findingLines = (code: string): readonly string[] => {
  const explanation = lookUp(findingExplanations, code);
  if (explanation === undefined) return [];
  const { severity, text, cause, remedy, example } = explanation;
  return [
    `${severity}[${code}]: ${text}`,
    ...['', `cause   ${cause}`, `remedy  ${remedy}`],
    ...(example === undefined
      ? []
      : ['', 'wrong', ...shownConfig(example.wrong), '', 'right', ...shownConfig(example.right)]),
  ];
};

/** Explains the cause of a failure: the answer of a provider, or a cause of the gateway's own that is not an error. */
const explainCause = (
  code: string,
): { readonly text: string; readonly cause: string; readonly remedy: string } | undefined => {
  const status = statusOfCause(code);
  return status === undefined
    ? lookUp(causeExplanations, code)
    : {
        text: `The provider answered with the status ${status}.`,
        cause: `The status and the message are the provider's own, and not the gateway's.`,
        remedy: upstreamHint(status),
      };
};

const causeLines = (code: string): readonly string[] => {
  const explanation = explainCause(code);
  if (explanation === undefined) return [];
  const { text, cause, remedy } = explanation;
  return [
    `cause[${code}]: ${text}`,
    ...['', `cause   ${cause}`, `remedy  ${remedy}`],
    'where   The log of requests and the circuits of targets.',
  ];
};

/** The party that can correct an error, by the `fault` of its row. */
export const faultTexts = {
  caller: 'The caller can correct it.',
  operator: 'The operator can correct it.',
  upstream: 'The cause is at the provider.',
  gateway: 'The cause is in the gateway.',
} as const;

/** The requests that are answered with an error, by the `plane` of its explanation. */
export const planeTexts: Readonly<Record<ErrorExplanation['plane'], string>> = {
  requests: 'Requests to models, in the form of the client.',
  control: 'Requests to the control plane.',
  both: 'Requests to models, in the form of the client, and to the control plane.',
};

const errorLines = (code: string): readonly string[] => {
  const row = lookUp(errorTable, code);
  const explanation = lookUp(errorExplanations, code);
  if (row === undefined || explanation === undefined) return [];
  const { status, type, fault, curable, text, hint } = row;
  return [
    `answer ${status} ${type} [${code}]: ${withoutPlaceholders(forPeer(text, 'provider'))}`,
    '',
    `cause   ${explanation.cause}`,
    `remedy  ${explanation.remedy}`,
    ...fixedHint(hint).map((each) => `hint    ${each}`),
    `who     ${faultTexts[fault]}${curable ? ' Another target may serve the request: a fallback calls its next target.' : ''}`,
    `where   ${planeTexts[explanation.plane]}`,
  ];
};

/** The codes that answers of the control plane share among all errors of a status, each with these errors. */
export const sharedCodes: ReadonlyMap<string, readonly ErrorCode[]> = new Map(
  [
    ...Map.groupBy(
      (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorExplanations[code].plane !== 'requests'),
      (code) => controlErrorCode({ status: errorTable[code].status, code }),
    ),
  ]
    .filter(([code]) => !Object.hasOwn(errorTable, code))
    .sort(),
);

const sharedLines = (code: string): readonly string[] => {
  const errors = sharedCodes.get(code) ?? [];
  const [first] = errors;
  if (first === undefined) return [];
  return [
    `answer ${errorTable[first].status} [${code}] of the control plane: one of these, and its message says which one`,
    '',
    ...errors.map((each) => `  ${each}: ${withoutPlaceholders(forPeer(errorTable[each].text, 'provider'))}`),
  ];
};

/** The maximum difference in length of a misspelt code. */
const maxLengthDifference = 3;

/** The causes for answers of providers that are failures. */
const failedAnswers = Array.from({ length: 200 }, (_, at) => upstreamCause(400 + at));

/**
 * Returns the code that was probably meant. Codes of similar length are compared first, because comparing many long names is
 * limited.
 */
const nearestCode = (code: string): string | undefined => {
  const codes = [diagnosticTable, errorTable, findingExplanations, causeExplanations].flatMap((table) =>
    Object.keys(table),
  );
  const alike = [...codes, ...failedAnswers].filter(
    (each) => Math.abs(each.length - code.length) <= maxLengthDifference,
  );
  return closest(code, alike) ?? closest(code, codes);
};

/**
 * Explains a code of a finding, of an answer of the gateway, or of a cause in the log; all of them if several share it. Throws a
 * `UsageError` for any other text.
 */
export const explainCode = (code: string): string => {
  const blocks = [diagnosticLines, findingLines, errorLines, sharedLines, causeLines]
    .map((toLines) => toLines(code))
    .filter((lines) => lines.length > 0);
  if (blocks.length === 0) {
    const near = nearestCode(code);
    throw new UsageError(
      `There is no code "${code.slice(0, 100)}".`,
      near === undefined
        ? 'gw check prints the codes of its findings, and error answers contain theirs.'
        : `Did you mean "${near}"?`,
    );
  }
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};

const findingJson = (code: string): JsonObject => {
  const explanation = lookUp(findingExplanations, code);
  if (explanation === undefined) return {};
  const { example, ...finding } = explanation;
  const configs = example && { wrong: example.wrong.join('\n'), right: example.right.join('\n') };
  return { finding: { ...finding, ...configs } };
};

/** Does the same as JSON. */
export const codeJson = (code: string): JsonObject => {
  explainCode(code);
  const row = lookUp(diagnosticTable, code);
  const example = lookUp(codeExamples, code);
  const error = lookUp(errorTable, code);
  const explanation = lookUp(errorExplanations, code);
  const cause = explainCause(code);
  return {
    code,
    diagnostic:
      row === undefined || example === undefined
        ? null
        : {
            ...{ severity: row.severity, text: row.text, hint: row.hint, cause: example.cause, remedy: example.remedy },
            ...{ wrong: example.wrong.join('\n'), right: example.right.join('\n') },
          },
    error:
      error === undefined || explanation === undefined
        ? null
        : {
            ...{ status: error.status, type: error.type, fault: error.fault, curable: error.curable },
            ...{ text: forPeer(error.text, 'provider'), hint: error.hint, ...explanation },
          },
    ...findingJson(code),
    ...(cause !== undefined && { cause: { ...cause } }),
    ...(sharedCodes.has(code) ? { errors: [...(sharedCodes.get(code) ?? [])] } : {}),
  };
};
