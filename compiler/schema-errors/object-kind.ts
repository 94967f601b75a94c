/** Returns the kind of object at a place in the schema: the places of hooks, of checks and of feedback are one kind each. */
export const objectKind = (schemaPath: string): string => {
  if (schemaPath.endsWith('/feedback')) return '/feedback';
  return schemaPath.replace(/^\/(?:before|after)_request_hooks/, '/hooks');
};
