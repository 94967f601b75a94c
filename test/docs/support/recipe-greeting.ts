/** What a model says to everything but a text that it should repeat. */
export const greeting = 'Hello! How can I help you today?';
