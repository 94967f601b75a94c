/** The texts of pictures of plans. */
export const planPictureTexts = {
  name: (plan: string): string => `The plan ${plan}`,
  tools: 'How the plan is shown',
  asPicture: 'Picture',
  asList: 'List',
  smaller: 'Smaller',
  larger: 'Larger',
  save: 'Save as SVG',
  help: 'Select a node to read all of it. Arrow keys go from node to node, and + and - change the size.',
};
