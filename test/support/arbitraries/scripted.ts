/** The provider of generated targets. Its upstream answers according to the scenario. */
export const scriptedProvider = 'scripted';

/** The check in generated hooks. It answers according to the scenario. */
export const scriptedCheck = 'test.scripted';

/** The hook of generated mirrors. Copies of several requests can end in a different order than they start. */
export const comparingHook = 'compares';
