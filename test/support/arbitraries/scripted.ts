/** The provider of generated targets; a runner lets its upstream answer what the scenario says. */
export const scriptedProvider = 'scripted';

/** The check that generated hooks call; a runner lets it answer what the scenario says. */
export const scriptedCheck = 'test.scripted';

/** The hook of generated mirrors. Copies of several requests can end in another order than they begin. */
export const comparingHook = 'compares';
