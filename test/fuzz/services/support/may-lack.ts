/**
 * The places that an answer may lack by the documentation of a service, by the check: what is not there says that nothing was
 * found, or nothing at all.
 */
export const mayLack: Readonly<Record<string, RegExp>> = {
  // A group of detectors that found nothing is left out.
  'acuvity.scan': /^\/extractions\/\d+\/(?:PIIs|languages)/,
  // A list of findings: of one that is not in it nothing is known.
  'azure.pii': /\/entities\/\d+$/,
  // The parameters of a key that says less are for any use, and any algorithm of its type (RFC 7517).
  'default.jwt': /^\/keys\/0\/(?:use|alg)$/,
  // An answer that requires no action has null there.
  'cato.analyze': /^\/required_action$/,
  'javelin.guardrails': /^\/assessments\/\d+$/,
  // What found something is said beside whether something is violated.
  'lasso.classify': /^\/(?:findings|deputies.*)$/,
  'promptsecurity.protectPrompt': /\/(?:action|passed)$/,
  'promptsecurity.protectResponse': /\/(?:action|passed)$/,
  // The status says whether something was found.
  'qualifire.contentModeration': /\/results\/0$/,
  'qualifire.grounding': /\/results\/0$/,
  'qualifire.hallucinations': /\/results\/0$/,
  'qualifire.pii': /\/results\/0$/,
  'qualifire.policy': /\/results\/0$/,
  'qualifire.promptInjections': /\/results\/0$/,
  'qualifire.toolUseQuality': /\/results\/0$/,
  // The number of detectors that failed, beside the action of the whole.
  'zscaler.aiGuard': /^\/detectorErrorCount$/,
};
