/** The answer of a model to everything except a text that it should repeat. */
export const greeting = 'Hello! How can I help you today?';
