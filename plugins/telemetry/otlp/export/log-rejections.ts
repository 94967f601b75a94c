/** A receiver's answer: https://opentelemetry.io/docs/specs/otlp/#partial-success-1. */
export interface ExportAnswer {
  readonly partialSuccess?: { readonly rejectedSpans?: number; readonly errorMessage?: string };
}

const longestMessage = 200;

/** Notifies the operator of the first spans that the receiver has rejected. */
export const logRejections = (log: (text: string) => void): ((answer: ExportAnswer) => void) => {
  let isLogged = false;
  return ({ partialSuccess }) => {
    const count = partialSuccess?.rejectedSpans ?? 0;
    if (isLogged || !Number.isSafeInteger(count) || count <= 0) return;
    isLogged = true;
    const message = JSON.stringify((partialSuccess?.errorMessage ?? '').slice(0, longestMessage));
    log(
      `The receiver of traces has rejected spans, ${count} of one export: ${message}. Others that follow are not reported.`,
    );
  };
};
