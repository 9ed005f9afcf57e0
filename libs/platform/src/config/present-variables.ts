/** The environment without what is set to nothing: `PORT= npm start` means no PORT, not port zero. */
export function presentVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}
