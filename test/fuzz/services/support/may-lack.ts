/**
 * The places that a service's answer may lack according to its documentation, by check: their absence means that nothing was
 * found, or has no meaning.
 */
export const mayLack: Readonly<Record<string, RegExp>> = {
  // A group of detectors that found nothing is omitted.
  'acuvity.scan': /^\/extractions\/\d+\/(?:PIIs|languages)/,
  // A list of findings: nothing is known about one that is missing.
  'azure.pii': /\/entities\/\d+$/,
  // A key without these parameters is for any use, and for any algorithm of its type (RFC 7517).
  'default.jwt': /^\/keys\/0\/(?:use|alg)$/,
  // An answer that requires no action contains null there.
  'cato.analyze': /^\/required_action$/,
  'javelin.guardrails': /^\/assessments\/\d+$/,
  // The detectors that found something are listed in addition to whether something is violated.
  'lasso.classify': /^\/(?:findings|deputies.*)$/,
  'promptsecurity.protectPrompt': /\/(?:action|passed)$/,
  'promptsecurity.protectResponse': /\/(?:action|passed)$/,
  // The status already reports whether something was found.
  'qualifire.contentModeration': /\/results\/0$/,
  'qualifire.grounding': /\/results\/0$/,
  'qualifire.hallucinations': /\/results\/0$/,
  'qualifire.pii': /\/results\/0$/,
  'qualifire.policy': /\/results\/0$/,
  'qualifire.promptInjections': /\/results\/0$/,
  'qualifire.toolUseQuality': /\/results\/0$/,
  // The number of detectors that failed, in addition to the overall action.
  'zscaler.aiGuard': /^\/detectorErrorCount$/,
};
